// Whether the head of a text looks like a model, or like a file about one, so that the server, a Python process, starts for these files only.
// It is more lenient than the server's own recognition, which has the last word.

export const HEAD = 65536; // characters that the server looks at, too

const ROOT = /<(?:\w+:)?net\b|<layers?\b/i;
const ELEMENT = /<[a-z]/i;
const MARKS = /\b(?:arg_nodes|heads|node_row_ptr|optype|tensors_in|tensors_out|ir_?version|opset_?import)["']?\s*:/i;
const NODES = /\b\w?odes["']?\s*:\s*\[/i;
const NODE_KEY = /\b(?:op|name|inputs|attrs)["']?\s*:/;
const OPS = /["']ops["']\s*:/i;
const EVENT = /["'](?:node_?id|nid|id)["']\s*:/i;
const EVENT_WORD = /["'](?:duration|session)["']/;
const EXACT_EVENT = /["']nodeID["']/;
const ROW = /^[ \t]*(?:\d+[ \t]+[A-Za-z_%@]|(?:\d+[ \t]*)?[a-z_][a-z0-9_.]*[ \t]+\[)[^\r\n]*\[?[^\r\n]*$/m;
const LAYERS = /^[ \t]*(?:7767517[ \t\r]*$|[A-Za-z_][\w.:]*[ \t]+\S+[ \t]+\d+[ \t]+\d+[ \t]+[^\s=]+(?:[ \t]+\S+)*[ \t]*$)/m;
const HEADER = /^<\s*(?:ir_version|opset_import|producer_name|domain)\s*:/;
const GRAPH = /^(?:[A-Za-z_]\w*|"[^"\n]*")\s*\([^{}]*\)\s*=>\s*\(/;
const PROTOTEXT = /^(?:ir_version\s*:|(?:opset_import|graph)\s*:?\s*\{)/; // protobuf's text format of ONNX
const INPUTS = /^[ \t]*\d+(?!\d)[^\[\r\n]*\[[ \t]*%?(?:\d+[ \t]*[,\]]|['"])/m;

// Files next to models, by keys that one of these groups has all of: what servers read, and what exports write
const COMPANIONS = [
  [/^\s*(?:platform|backend|max_batch_size|ensemble_scheduling|instance_group)\s*[:{[]/m, /^\s*(?:input|output|step|name)\s*[:{[]/m],
  [/\bnode\s*:?\s*\{/, /\bcalculator\s*:/],
  [/["'](?:model_config_list|mediapipe_config_list|context_length|transformers_version|architectures)["']\s*:/],
  [/^task:/m, /^names:/m],
  [/^[ \t]*\[property\]|^property[ \t]*:/m, /^[ \t]*(?:onnx-file|model-engine-file|tlt-encoded-model|custom-network-config|uff-file|proto-file)[ \t]*[=:]/m],
  [/^(?:cameras|detectors|model):/m, /^ +(?:labelmap_path|input_tensor|input_pixel_format|model_type) *:/m],
];

export function looksLikeModel(text: string): boolean {
  const head = text.slice(0, HEAD);
  if (COMPANIONS.some((keys) => keys.every((key) => key.test(head)))) {
    return true;
  }
  const body = head.replace(/^(?:[\s\ufeff]|(?:#|\/\/)[^\r\n]*)+/, "");
  if (body === "" && text.length > HEAD) {
    return true; // the server looks further
  }
  if (HEADER.test(body) || GRAPH.test(body) || PROTOTEXT.test(body)) {
    return true; // the textual forms of ONNX
  }
  if (body.startsWith("<") || head.slice(0, 4096).includes("<net")) {
    return ROOT.test(head) || (text.length > HEAD && !ELEMENT.test(head));
  }
  if (body.startsWith("{") || body.startsWith("[")) {
    const isGraph = MARKS.test(head) || OPS.test(head) || (NODES.test(head) && NODE_KEY.test(head));
    return isGraph || EXACT_EVENT.test(head) || (EVENT.test(head) && EVENT_WORD.test(head));
  }
  return (ROW.test(head) && INPUTS.test(head)) || LAYERS.test(head);
}
