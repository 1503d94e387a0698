// The colors of .param files: a layer a line, its type, name, two counts, blobs, then KEY=VALUE.
import { StreamLanguage } from "@codemirror/language";

const COUNTS = 4; // words before the blobs

export const layers = StreamLanguage.define({
  name: "layers",
  startState: () => ({ word: 0 }),
  token(stream, state) {
    if (stream.sol()) state.word = 0;
    if (stream.eatSpace()) return null;
    if (state.word === 0 && stream.match(/^#.*/)) return "comment";
    if (stream.match(/^=/)) return "punctuation";
    const before = stream.string[stream.pos - 1];
    if (before === undefined || /\s/.test(before)) {
      const word = state.word++;
      if (word === 0 && stream.match(/^[^\s=]+/)) return /^\d+$/.test(stream.current()) ? "number" : "tagName";
      if (word < COUNTS && stream.match(/^[^\s=]+/)) return word === 1 && !/^\d+$/.test(stream.current()) ? "string" : "number";
      if (stream.match(/^[^\s=]+(?==)/)) return "attributeName";
      stream.match(/^[^\s=]+/) || stream.next();
      return null;
    }
    if (stream.match(/^[(),[\]]/)) return "punctuation";
    if (stream.match(/^-?\d[\d.]*(?:[eE][+-]?\d+)?/)) return "number";
    stream.match(/^[^\s(),[\]]+/) || stream.next();
    return "string";
  },
});
