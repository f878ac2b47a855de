-- Views of a trace of bigtpuprofile, for Perfetto's SQL. Times are in ns of the trace.

-- The device that a track belongs to: the track that the cores are below; -1 where they are below none.
CREATE OR REPLACE PERFETTO TABLE tpu_track_device AS
WITH RECURSIVE above(track_id, ancestor) AS (
  SELECT id, parent_id FROM track
  UNION ALL SELECT above.track_id, t.parent_id FROM above JOIN track t ON above.ancestor = t.id)
SELECT id AS track_id, IFNULL((SELECT ancestor FROM above WHERE above.track_id = track.id AND ancestor IN
       (SELECT parent_id FROM track WHERE name GLOB 'Core *') LIMIT 1), -1) AS device_id
FROM track ORDER BY id;

-- Starts of the steps of a light trace, whose slices don't tell the step in which they begin. After the last step there is none.
CREATE OR REPLACE PERFETTO TABLE tpu_step_start AS
WITH step AS (
  SELECT d.device_id, s.ts, s.ts + s.dur AS ts_end, CAST(EXTRACT_ARG(s.arg_set_id, 'debug.Step') AS INT) AS step
  FROM slice s JOIN track t ON s.track_id = t.id JOIN tpu_track_device d ON d.track_id = t.id
  WHERE (t.name = 'Steps' OR t.name GLOB 'Steps #*') AND s.category IN ('step', 'warm-up', 'outlier')
    AND EXISTS (SELECT 1 FROM metadata WHERE name GLOB '*bigtpuprofile.detail' AND str_value GLOB 'light*'))
SELECT * FROM (
  SELECT device_id, ts, step FROM step
  UNION ALL SELECT device_id, ts_end, NULL FROM (SELECT device_id, ts_end, MAX(ts) FROM step GROUP BY device_id))
ORDER BY device_id, ts;

-- The step of what begins then, as a slice tells it; where it tells nothing, in a light trace by time.
CREATE OR REPLACE PERFETTO FUNCTION tpu_step(told LONG, track_id LONG, ts LONG) RETURNS LONG AS
SELECT IFNULL($told, (SELECT step FROM tpu_step_start WHERE ts <= $ts AND device_id =
       (SELECT device_id FROM tpu_track_device WHERE track_id = $track_id) ORDER BY ts DESC LIMIT 1));

-- Layers of a light trace whose name no other layer has: slices that have a layer's name alone are of it.
CREATE OR REPLACE PERFETTO TABLE tpu_layer_name AS
SELECT d.device_id, s.name, CAST(MIN(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id')) AS INT) AS layer_id,
       MIN(EXTRACT_ARG(s.arg_set_id, 'debug.Block')) AS block
FROM slice s JOIN tpu_track_device d ON s.track_id = d.track_id
WHERE s.category = 'layer'
  AND EXISTS (SELECT 1 FROM metadata WHERE name GLOB '*bigtpuprofile.detail' AND str_value GLOB 'light*')
GROUP BY d.device_id, s.name
HAVING COUNT(DISTINCT EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id')) = 1
ORDER BY d.device_id, s.name;

-- Id and block of the layer that a slice tells; where it tells no id, by the layer's name.
CREATE OR REPLACE PERFETTO FUNCTION tpu_layer_id(told LONG, name STRING, track_id LONG) RETURNS LONG AS
SELECT IFNULL($told, (SELECT layer_id FROM tpu_layer_name WHERE name = $name AND device_id =
       (SELECT device_id FROM tpu_track_device WHERE track_id = $track_id)));

CREATE OR REPLACE PERFETTO FUNCTION tpu_layer_block(told_id LONG, told STRING, name STRING, track_id LONG) RETURNS STRING AS
SELECT IIF($told_id IS NULL, (SELECT block FROM tpu_layer_name WHERE name = $name AND device_id =
       (SELECT device_id FROM tpu_track_device WHERE track_id = $track_id)), $told);

-- Commands of the engines. `core` is the core or port, `engine` its track without the number of a lane.
CREATE OR REPLACE PERFETTO VIEW tpu_command AS
SELECT s.id, s.ts, s.dur, s.name, s.category, device.name AS device, core.name AS core,
       CASE WHEN t.name GLOB '* #*' THEN SUBSTR(t.name, 1, INSTR(t.name, ' #') - 1) ELSE t.name END AS engine,
       s.track_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Cmd Id') AS cmd_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Kernel Function') AS kernel,
       IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') IS NULL, NULL, tpu_layer_id(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id'), EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name'), s.track_id)) AS layer_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') AS layer,
       IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') IS NULL, NULL, tpu_layer_block(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id'),
           EXTRACT_ARG(s.arg_set_id, 'debug.Block'), EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name'), s.track_id)) AS block,
       tpu_step(EXTRACT_ARG(s.arg_set_id, 'debug.Step'), s.track_id, s.ts) AS step,
       EXTRACT_ARG(s.arg_set_id, 'debug.slack(ns)') AS slack_ns,
       EXTRACT_ARG(s.arg_set_id, 'debug.waits for') AS waits_for,
       EXTRACT_ARG(s.arg_set_id, 'debug.released by') AS released_by,
       EXTRACT_ARG(s.arg_set_id, 'debug.uArch Rate(%)') AS uarch_percent,
       EXTRACT_ARG(s.arg_set_id, 'debug.Direction') AS direction,
       EXTRACT_ARG(s.arg_set_id, 'debug.DMA data size(B)') AS bytes,
       -- A light trace tells none that is 0.
       IFNULL(EXTRACT_ARG(s.arg_set_id, 'debug.DDR Bandwidth(GB/s)'), IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Direction') IS NULL, NULL, 0.0)) AS ddr_gbps,
       IFNULL(EXTRACT_ARG(s.arg_set_id, 'debug.L2M Bandwidth(GB/s)'), IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Direction') IS NULL, NULL, 0.0)) AS l2m_gbps
FROM slice s JOIN track t ON s.track_id = t.id JOIN track core ON t.parent_id = core.id
LEFT JOIN track device ON core.parent_id = device.id
WHERE EXTRACT_ARG(s.arg_set_id, 'debug.Cmd Id') IS NOT NULL AND t.name NOT GLOB 'Runtime*';

-- Kernels: from the first to the last command of a launch on a core or port.
CREATE OR REPLACE PERFETTO VIEW tpu_kernel AS
SELECT s.id, s.ts, s.dur, s.name, s.category AS mode, s.track_id,
       CASE WHEN t.name GLOB '*Kernel Function*' THEN core.name ELSE t.name END AS core,
       EXTRACT_ARG(s.arg_set_id, 'debug.Func Scope Id') AS scope,
       tpu_step(EXTRACT_ARG(s.arg_set_id, 'debug.Step'), s.track_id, s.ts) AS step
FROM slice s JOIN track t ON s.track_id = t.id LEFT JOIN track core ON t.parent_id = core.id
WHERE (t.name GLOB 'Core *' OR t.name GLOB '*Kernel Function*') AND s.category NOT IN ('overview', 'layer');

-- Layers of a static model on a core.
CREATE OR REPLACE PERFETTO VIEW tpu_layer AS
SELECT s.id, s.ts, s.dur, s.name, s.track_id,
       CASE WHEN t.name GLOB 'Layer*' THEN core.name ELSE t.name END AS core,
       EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id') AS layer_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') AS layer,
       EXTRACT_ARG(s.arg_set_id, 'debug.Block') AS block,
       tpu_step(EXTRACT_ARG(s.arg_set_id, 'debug.Step'), s.track_id, s.ts) AS step,
       -- The label is "NAME (OPERATION)", or "OPERATION #ID" of a layer without a name.
       IIF(s.name GLOB '*(*)', RTRIM(SUBSTR(s.name, LENGTH(RTRIM(s.name, REPLACE(s.name, '(', ''))) + 1), ')'),
           SUBSTR(s.name, 1, INSTR(s.name || ' #', ' #') - 1)) AS operation,
       EXTRACT_ARG(s.arg_set_id, 'debug.Inputs') AS inputs,
       EXTRACT_ARG(s.arg_set_id, 'debug.Outputs') AS outputs
FROM slice s JOIN track t ON s.track_id = t.id LEFT JOIN track core ON t.parent_id = core.id
WHERE s.category = 'layer';

-- Gaps: times in which an engine did no work, from the first to the last event of the run. `cause`: what the engine and its core did
-- most of the time; `ended_by`: the command whose end ended the gap; `cost_ns`: by how much the run would be shorter without it, NULL
-- where it was not replayed; `idle_ns`: no engine of the core worked.
CREATE OR REPLACE PERFETTO VIEW tpu_gap AS
SELECT s.id, s.ts, s.dur, s.name AS cause, 'gap before ' || IFNULL(EXTRACT_ARG(s.arg_set_id, 'debug.Before'), 'the end') AS name,
       core.name AS core, REPLACE(t.name, ' Gaps', '') AS engine, s.track_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Ended By') AS ended_by,
       EXTRACT_ARG(s.arg_set_id, 'debug.Cost of Run(ns)') AS cost_ns,
       EXTRACT_ARG(s.arg_set_id, 'debug.No Engine Worked(ns)') AS idle_ns,
       EXTRACT_ARG(s.arg_set_id, 'debug.Meanwhile') AS meanwhile,
       EXTRACT_ARG(s.arg_set_id, 'debug.After') AS ended,
       EXTRACT_ARG(s.arg_set_id, 'debug.Before') AS following,
       EXTRACT_ARG(s.arg_set_id, 'debug.Kernel Function') AS kernel,
       IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') IS NULL, NULL, tpu_layer_id(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id'), EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name'), s.track_id)) AS layer_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') AS layer,
       IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') IS NULL, NULL, tpu_layer_block(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id'),
           EXTRACT_ARG(s.arg_set_id, 'debug.Block'), EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name'), s.track_id)) AS block,
       EXTRACT_ARG(s.arg_set_id, 'debug.Step') AS step
FROM slice s JOIN track t ON s.track_id = t.id JOIN track gaps ON t.parent_id = gaps.id JOIN track core ON gaps.parent_id = core.id
WHERE s.category = 'gap';

-- Transfers: commands that move data.
CREATE OR REPLACE PERFETTO VIEW tpu_transfer AS
SELECT id, ts, dur, name, core, engine, track_id, kernel, layer, block, step, direction, bytes, ddr_gbps, l2m_gbps, slack_ns
FROM tpu_command WHERE bytes > 0 AND category != 'sys';

-- What the run waited for, from its first start to its last end without gaps.
CREATE OR REPLACE PERFETTO VIEW tpu_critical_path AS
SELECT s.id, s.ts, s.dur, s.name AS reason, s.track_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Engine') AS engine,
       EXTRACT_ARG(s.arg_set_id, 'debug.Kernel Function') AS kernel,
       IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') IS NULL, NULL, tpu_layer_id(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id'), EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name'), s.track_id)) AS layer_id,
       EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') AS layer,
       IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name') IS NULL, NULL, tpu_layer_block(EXTRACT_ARG(s.arg_set_id, 'debug.Layer Id'),
           EXTRACT_ARG(s.arg_set_id, 'debug.Block'), EXTRACT_ARG(s.arg_set_id, 'debug.Layer Name'), s.track_id)) AS block,
       -- `none`: its command begins in no step, though the stretch begins in one.
       IIF(EXTRACT_ARG(s.arg_set_id, 'debug.Step') = 'none', NULL,
           tpu_step(EXTRACT_ARG(s.arg_set_id, 'debug.Step'), s.track_id, s.ts)) AS step
FROM slice s JOIN track t ON s.track_id = t.id
WHERE t.name = 'Critical Path';

-- A track with what it is below, such as `Core 0 TIU`, with several devices `dev0-0 Core 0 TIU`. A thread of the host has its name.
CREATE OR REPLACE PERFETTO FUNCTION tpu_track_title(track_id LONG) RETURNS STRING AS
SELECT IFNULL(thread.name,
       IIF(device.parent_id IS NOT NULL, device.name || ' ', '')
       || IIF(core.parent_id IS NOT NULL OR core.name GLOB 'Core *' OR core.name GLOB 'CDMA*', core.name || ' ', '') || t.name)
FROM track t LEFT JOIN track core ON t.parent_id = core.id LEFT JOIN track device ON core.parent_id = device.id
LEFT JOIN thread_track ON thread_track.id = t.id LEFT JOIN thread USING (utid)
WHERE t.id = $track_id;

-- What released what: the viewer's arrows, with the names of both sides. `delay` is negative where the receiver began first.
CREATE OR REPLACE PERFETTO VIEW tpu_flow AS
SELECT b.ts, b.dur, f.slice_out AS sender_id, a.name AS sender, tpu_track_title(a.track_id) AS sender_track,
       f.slice_in AS receiver_id, b.name AS receiver, tpu_track_title(b.track_id) AS receiver_track,
       b.ts - (a.ts + a.dur) AS delay
FROM flow f JOIN slice a ON f.slice_out = a.id JOIN slice b ON f.slice_in = b.id;
