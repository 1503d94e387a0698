// The text, with what irlint finds in it: CodeMirror, in the colors of style.css.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { xml } from "@codemirror/lang-xml";
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorSelection, EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { layers } from "./layers.js";
import { ONNX, onnx } from "./onnx.js";

/** @typedef {import("./findings.js").Finding} Finding */
/** @typedef {import("@codemirror/state").ChangeDesc} ChangeDesc */
/** @typedef {import("@codemirror/state").Extension} Extension */
/** @typedef {[from: number, to: number, text: string]} Edit */

const LARGE = 2_000_000; // characters from which on syntax is not colored
const STYLE = HighlightStyle.define([
  { tag: [tags.propertyName, tags.tagName], color: "var(--syntax-name)" },
  { tag: [tags.string, tags.attributeValue], color: "var(--syntax-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--syntax-number)" },
  { tag: tags.attributeName, color: "var(--syntax-attribute)" },
  { tag: [tags.comment, tags.processingInstruction, tags.documentMeta], color: "var(--faint)" },
  { tag: [tags.punctuation, tags.angleBracket, tags.bracket, tags.separator], color: "var(--syntax-sign)" },
]);
const SEVERITIES = /** @type {Record<string, "error" | "warning" | "info" | "hint">} */ ({ error: "error", warning: "warning", info: "info", pedantic: "hint" });

/** @param {string} text */
function language(text) {
  if (text.length > LARGE) return [];
  if (ONNX.test(text)) return onnx;
  const first = text.trimStart()[0];
  return first === "<" ? xml() : first === "{" || first === "[" ? json() : first === "7" ? layers : [];
}

/** @returns {Extension[]} of every editor of the page */
function common() {
  const nonce = document.querySelector("meta[name=nonce]")?.getAttribute("content") ?? "";
  return [
    EditorView.cspNonce.of(nonce), EditorState.lineSeparator.of("\n"), // a CR is a part of the text
    lineNumbers(), foldGutter(), drawSelection(), highlightSpecialChars({ specialChars: /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g }),
    syntaxHighlighting(STYLE), bracketMatching(), search({ top: true }), highlightSelectionMatches(),
  ];
}

/** Whether a change leaves any of the text. @param {ChangeDesc} changes */
function keepsAny(changes) {
  let kept = false;
  changes.iterGaps((_from, _to, size) => { kept ||= size > 0; });
  return kept;
}

export class Editor {
  /** @param {HTMLElement} parent @param {(isOther: boolean) => void} changed is told whether nothing is left of the text */
  constructor(parent, changed) {
    this.changed = changed;
    /** What was typed since the findings were made. @type {ChangeDesc | null} */
    this.since = null;
    this.view = new EditorView({ parent, state: this.state("", false) });
  }

  /** @param {string} text @param {boolean} isReadOnly */
  state(text, isReadOnly) {
    return EditorState.create({
      doc: text,
      extensions: [
        ...common(), history(), highlightActiveLine(), highlightActiveLineGutter(), lintGutter(), language(text),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap, ...foldKeymap]),
        isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [],
        EditorView.contentAttributes.of({ "aria-label": "Text of the model", tabindex: "0" }),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          this.since = this.since ? this.since.composeDesc(update.changes.desc) : update.changes.desc;
          this.changed(!keepsAny(update.changes));
        }),
      ],
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Show another model. @param {string} text @param {boolean} isReadOnly */
  open(text, isReadOnly) {
    this.since = null;
    this.view.setState(this.state(text, isReadOnly));
    this.view.scrollDOM.scrollTo(0, 0);
  }

  /** Make the edits of a fix, as one step of undo. @param {Edit[]} edits */
  edit(edits) {
    const changes = this.view.state.changes(edits.map(([from, to, insert]) => ({ from, to, insert })));
    const at = edits.length ? changes.mapPos(edits[0][0], 1) : 0;
    this.view.dispatch({ changes, effects: EditorView.scrollIntoView(at, { y: "center" }), userEvent: "input.fix" });
  }

  /** @param {number} offset where something was when the findings were made */
  now(offset) {
    return Math.min(this.since ? this.since.mapPos(offset) : offset, this.view.state.doc.length);
  }

  /** @param {number} from @param {number} [to] */
  show(from, to = from) {
    const [anchor, head] = [this.now(from), this.now(to)];
    this.view.dispatch({ selection: EditorSelection.single(anchor, head), effects: EditorView.scrollIntoView(anchor, { y: "center", x: "center" }) });
    this.view.focus();
    this.view.dom.scrollIntoView({ block: "nearest" });
  }

  /** @param {number} line */
  showLine(line) {
    const { doc } = this.view.state;
    this.show(doc.line(Math.max(1, Math.min(line, doc.lines))).from);
  }

  /** Underline findings of the text as it is. @param {Finding[]} findings @param {(finding: Finding) => void} apply */
  mark(findings, apply) {
    this.since = null;
    const diagnostics = findings.map((finding) => ({
      from: finding.span[0],
      to: finding.span[1],
      severity: SEVERITIES[finding.record.severity],
      source: `${finding.record.code} ${finding.record.name}`,
      message: finding.message,
      actions: finding.record.fix ? [{ name: finding.title.replaceAll("`", ""), apply: () => apply(finding) }] : [],
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  focus() {
    this.view.focus();
  }
}

/** Text to be read, such as a listing. @param {HTMLElement} parent @param {string} text @param {string} label */
export function reader(parent, text, label) {
  const attributes = EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" });
  const extensions = [...common(), keymap.of([...searchKeymap, ...defaultKeymap]), EditorState.readOnly.of(true), EditorView.editable.of(false), attributes];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}
