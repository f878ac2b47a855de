// Rectangles with WebGL2: one draw call a frame. The vertices take their places from a texture that holds the list:
// software imitations of WebGL2 take several times as long for instances.
import { AREA, QUAD_FIELDS, type QuadList, STYLE } from "./quads";
import type { Renderer } from "./renderer";

/** Rectangles in a row of the texture; each takes two texels. */
const PER_ROW = 512;

const VERTEX = `#version 300 es
precision highp float;
uniform highp sampler2D list;
uniform vec2 size;
flat out vec4 fill;
flat out vec2 look;
void main() {
  int quad = gl_VertexID / 6;
  int turn = gl_VertexID - quad * 6;
  // Triangles 0 1 2 and 2 1 3.
  int corner = turn < 3 ? turn : turn == 3 ? 2 : turn == 4 ? 1 : 3;
  ivec2 at = ivec2((quad % ${PER_ROW}) * 2, quad / ${PER_ROW});
  vec4 rect = texelFetch(list, at, 0);
  vec4 more = texelFetch(list, at + ivec2(1, 0), 0);
  uint colour = floatBitsToUint(more.x);
  vec2 place = (rect.xy + vec2(corner & 1, corner >> 1) * rect.zw) / size;
  gl_Position = vec4(place.x * 2.0 - 1.0, 1.0 - place.y * 2.0, 0.0, 1.0);
  fill = vec4(colour & 255u, (colour >> 8) & 255u, (colour >> 16) & 255u, colour >> 24) / 255.0;
  fill.rgb *= fill.a;
  look = vec2(more.y, size.y - rect.y);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 fill;
flat in vec2 look;
uniform float stripe;
out vec4 result;
void main() {
  float bright = 1.0;
  if (look.x >= ${STYLE.line.toFixed(1)}) bright = look.y - gl_FragCoord.y < look.x - ${STYLE.line.toFixed(1)} ? 1.0 : ${AREA};
  else if (look.x > 0.5 && mod(gl_FragCoord.x - gl_FragCoord.y, stripe) < stripe * 0.5) bright = 0.55;
  result = fill * bright;
}`;

export class GlRenderer implements Renderer {
  readonly kind = "webgl2";
  readonly context = null;
  private readonly size: WebGLUniformLocation | null;
  private texture: WebGLTexture | null = null;
  private rows = 0;

  private constructor(
    readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
    program: WebGLProgram,
  ) {
    gl.useProgram(program);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.size = gl.getUniformLocation(program, "size");
    gl.uniform1f(gl.getUniformLocation(program, "stripe"), 8 * devicePixelRatio);
  }

  /** Null where the browser has no WebGL2, or only in software and `anyhow` is not set, or the program does not build. */
  static make(anyhow: boolean): GlRenderer | null {
    const canvas = document.createElement("canvas");
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false, stencil: false });
    const program = gl && (anyhow || !isSoftware(gl)) && build(gl);
    return gl && program ? new GlRenderer(canvas, gl, program) : null;
  }

  resize(width: number, height: number): void {
    this.canvas.width = width;
    this.canvas.height = height;
    this.gl.viewport(0, 0, width, height);
    this.gl.uniform2f(this.size, width, height);
  }

  draw(quads: QuadList, ground: number): void {
    const { gl } = this;
    gl.clearColor((ground & 255) / 255, ((ground >>> 8) & 255) / 255, ((ground >>> 16) & 255) / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (quads.length === 0) return;
    const rows = Math.ceil(quads.length / PER_ROW);
    if (rows > this.rows) this.allocate(Math.ceil(quads.floats.length / QUAD_FIELDS / PER_ROW));
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, PER_ROW * 2, rows, gl.RGBA, gl.FLOAT, quads.floats);
    gl.drawArrays(gl.TRIANGLES, 0, quads.length * 6);
  }

  private allocate(rows: number): void {
    const { gl } = this;
    this.rows = rows;
    gl.deleteTexture(this.texture);
    this.texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, PER_ROW * 2, rows);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  destroy(): void {
    this.gl.getExtension("WEBGL_lose_context")?.loseContext();
  }
}

function isSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
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
