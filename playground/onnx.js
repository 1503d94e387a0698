// The colors of textual ONNX.
import { StreamLanguage } from "@codemirror/language";

const TYPES = /^(?:float|double|float16|bfloat16|float8\w+|float4\w+|u?int\d+|bool|string|complex\d+|seq|map|optional|sparse_tensor|opaque|undefined|ints|floats|strings|int|tensors?|graphs?)\b/;

/** How a text begins that is a model, not XML. */
export const ONNX = /^\s*(?:#[^\n]*\n\s*)*(?:<\s*(?:ir_version|opset_import|producer_name|domain)\s*:|(?:[A-Za-z_]\w*|"[^"\n]*")\s*\([^{}]*\)\s*=>\s*\()/;

export const onnx = StreamLanguage.define({
  name: "onnx",
  startState: () => ({ isOperator: false }),
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.sol() || stream.match(/^\s*$/, false)) state.isOperator = false;
    if (stream.match(/^=>/)) return "punctuation";
    if (stream.match(/^=/)) {
      state.isOperator = true;
      return "punctuation";
    }
    const isOperator = state.isOperator;
    state.isOperator = false;
    if (stream.match(/^-?\d[\d.]*(?:[eE][-+]?\d+)?/)) return "number";
    if (isOperator && stream.match(/^[A-Za-z_][\w.]*(?=\s*(?::\s*\w+\s*)?[<(])/)) return "tagName";
    if (stream.match(TYPES)) return "number";
    if (stream.match(/^[A-Za-z_]\w*(?=\s*:)/)) return "attributeName";
    if (stream.match(/^[A-Za-z_@]\w*/)) return null;
    stream.next();
    return "punctuation";
  },
});
