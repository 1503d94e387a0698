"""textDocument/signatureHelp: an operator's inputs and attributes while one of them is edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from irlint.formats.navigation import describe
from irlint.operators import titled
from irlint_lsp.documents import CurrentView

if TYPE_CHECKING:
    from irlint_lsp.server import Server


def register(server: Server) -> None:
    options = types.SignatureHelpOptions(trigger_characters=['"', ","])

    @server.about_model(types.TEXT_DOCUMENT_SIGNATURE_HELP, options)
    def signature_help(view: CurrentView, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
        nav, model = view.navigation, view.model
        offset = view.offset(params.position)
        found = nav.node_at(model, offset)
        operator = nav.operator(model, found[1]) if found else None
        if found is None or operator is None:
            return None
        attributes = operator.attributes.values()
        names = [*(port.name for port in operator.inputs), *(titled(a.name, a.label) for a in attributes)]
        token = nav.token_at(model, offset)
        word, _, key = token.part.partition(":") if token else ("", "", "")
        active = None
        if word in ("attr", "attr_key") and key in operator.attributes:
            active = len(operator.inputs) + list(operator.attributes).index(key)
        elif word in ("input", "input_name") and int(key) < len(operator.inputs):
            active = int(key)
        docs = {titled(a.name, a.label): describe(a) for a in attributes}
        label = f"{found[1].op}({', '.join(names)})"
        parameters = [types.ParameterInformation(name, docs.get(name, "input")) for name in names]
        signature = types.SignatureInformation(label, operator.doc or None, parameters, active)
        return types.SignatureHelp([signature], 0, active)
