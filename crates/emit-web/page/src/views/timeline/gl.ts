// Instanced rectangles with WebGL2: one draw call a frame.
import { QUAD_BYTES, type QuadList } from "./quads";
import type { Renderer } from "./renderer";

const VERTEX = `#version 300 es
layout(location=0) in vec4 rect;
layout(location=1) in vec4 colour;
layout(location=2) in float hatch;
uniform vec2 size;
flat out vec4 fill;
flat out float hatched;
void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 at = (rect.xy + corner * rect.zw) / size;
  gl_Position = vec4(at.x * 2.0 - 1.0, 1.0 - at.y * 2.0, 0.0, 1.0);
  fill = vec4(colour.rgb * colour.a, colour.a);
  hatched = hatch;
}`;

const FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 fill;
flat in float hatched;
uniform float stripe;
out vec4 result;
void main() {
  float bright = hatched > 0.5 && mod(gl_FragCoord.x - gl_FragCoord.y, stripe) < stripe * 0.5 ? 0.55 : 1.0;
  result = fill * bright;
}`;

export class GlRenderer implements Renderer {
  readonly kind = "webgl2";
  private readonly buffer: WebGLBuffer;
  private readonly size: WebGLUniformLocation | null;
  private bytes = 0;

  private constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
    program: WebGLProgram,
  ) {
    this.buffer = gl.createBuffer();
    gl.useProgram(program);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    const attribute = (at: number, n: number, type: number, offset: number) => {
      gl.enableVertexAttribArray(at);
      gl.vertexAttribPointer(at, n, type, type === gl.UNSIGNED_BYTE, QUAD_BYTES, offset);
      gl.vertexAttribDivisor(at, 1);
    };
    attribute(0, 4, gl.FLOAT, 0);
    attribute(1, 4, gl.UNSIGNED_BYTE, 16);
    attribute(2, 1, gl.FLOAT, 20);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.size = gl.getUniformLocation(program, "size");
    gl.uniform1f(gl.getUniformLocation(program, "stripe"), 8 * devicePixelRatio);
  }

  /** Null where the browser has no WebGL2, or the program does not build. */
  static make(): GlRenderer | null {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", { antialias: false, depth: false, stencil: false });
    const program = gl && build(gl);
    return gl && program ? new GlRenderer(canvas, gl, program) : null;
  }

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
    this.gl.viewport(0, 0, width, height);
    this.gl.uniform2f(this.size, width, height);
  }

  draw(quads: QuadList): void {
    const { gl } = this;
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (quads.length === 0) return;
    const used = quads.length * QUAD_BYTES;
    if (used > this.bytes) {
      this.bytes = quads.floats.byteLength;
      gl.bufferData(gl.ARRAY_BUFFER, this.bytes, gl.STREAM_DRAW);
    }
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, quads.floats, 0, used / 4);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, quads.length);
  }

  destroy(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

function build(gl: WebGL2RenderingContext): WebGLProgram | null {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]] as const) {
    const shader = gl.createShader(type);
    if (!shader) return null;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  return gl.getProgramParameter(program, gl.LINK_STATUS) ? program : null;
}
