// The editor of a live cell: CodeMirror with Python's colours and indentation, nothing that a 20-line cell does not need.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, highlightSpecialChars, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

// the classes that pandoc gives to code on every other page, so that colours are the same
const colours = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.definitionKeyword, tags.moduleKeyword], class: "kw" },
  { tag: [tags.controlKeyword], class: "cf" },
  { tag: [tags.number, tags.bool, tags.null], class: "dv" },
  { tag: [tags.string, tags.special(tags.string)], class: "st" },
  { tag: tags.comment, class: "co" },
]);

const mark = StateEffect.define();      // the number of a line, or null
const marked = StateField.define({
  create: () => Decoration.none,
  update(lines, change) {
    if (change.docChanged) lines = Decoration.none;      // the reader is mending it
    for (const effect of change.effects) {
      if (effect.is(mark)) lines = effect.value ? Decoration.set([Decoration.line({ class: "live-wrong" }).range(change.state.doc.line(effect.value).from)]) : Decoration.none;
    }
    return lines;
  },
  provide: field => EditorView.decorations.from(field),
});

// the number is part of its line (style.css): CodeMirror's own column of numbers guesses heights until an editor is scrolled to
const numbers = EditorView.decorations.compute(["doc"], ({ doc }) => Decoration.set(
  Array.from({ length: doc.lines }, (_, i) => Decoration.line({ attributes: { "data-line": String(i + 1) } }).range(doc.line(i + 1).from))));

// the name at a place, told to the page, which knows what the symbols of its formulas are called in code
const word = (view, at) => at === null ? "" : view.state.sliceDoc(view.state.wordAt(at)?.from ?? at, view.state.wordAt(at)?.to ?? at);
const tell = (parent, name, event) => {
  if (parent.dataset.word === name) return;
  parent.dataset.word = name;
  parent.dispatchEvent(new CustomEvent("word", { bubbles: true, detail: { word: name, at: { left: event.clientX, top: event.clientY - 8, bottom: event.clientY + 8 } } }));
};

export function editor(parent, { text, label, hint, run, leave, changed }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "Mod-Enter", run: () => (run(), true) },
          { key: "Shift-Enter", run: () => (run(), true) },
          { key: "Escape", run: () => (leave(), true) },      // Tab indents, so there must be a way out
          indentWithTab, ...defaultKeymap, ...historyKeymap,
        ]),
        history(), pythonLanguage, syntaxHighlighting(colours), indentUnit.of("    "), EditorState.tabSize.of(4), indentOnInput(), bracketMatching(),
        drawSelection(), highlightSpecialChars(), numbers, EditorView.lineWrapping, marked,
        EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": hint }),
        EditorView.domEventHandlers({ mousemove: (event, view) => tell(parent, word(view, view.posAtCoords({ x: event.clientX, y: event.clientY })), event) }),
        EditorView.updateListener.of(update => update.docChanged && changed()),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace: text => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "input" }),
    mark: line => view.dispatch({ effects: mark.of(line && line <= view.state.doc.lines ? line : null) }),
  };
}
