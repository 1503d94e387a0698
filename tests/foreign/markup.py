"""XML of other programs; some have a root element <net>, or layers and edges."""

from __future__ import annotations

import random
from collections.abc import Callable

from .graphs import name

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def lines(chance: random.Random, make: Callable[[int], str]) -> str:
    return "\n".join(make(k) for k in range(chance.randint(1, 9)))


def roads(chance: random.Random) -> str:
    """As SUMO has them."""
    lanes = lines(
        chance, lambda k: f'<edge id="e{k}" from="a" to="b"><lane id="e{k}_0" index="0" speed="13.9"/></edge>'
    )
    version = chance.choice(["0.13", "0.27", "1.0", "1.16", "1.20"])
    return f'{HEAD}<net version="{version}" junctionCornerDetail="5">\n<location netOffset="0,0"/>\n{lanes}\n</net>\n'


def petri(chance: random.Random) -> str:
    places = lines(chance, lambda k: f'<place id="p{k}"><name><text>{name(chance)}</text></name></place>')
    net = f'<net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">\n<page id="g">{places}</page></net>'
    return HEAD + chance.choice([net, f'<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">{net}</pnml>'])


def bayes(chance: random.Random) -> str:
    nodes = lines(chance, lambda k: f'<node name="{name(chance)}" id="{k}"/>')
    return f'<net name="asia">\n{nodes}\n<edges><edge source="0" target="1"/></edges></net>'


def netlist(chance: random.Random) -> str:
    nets = lines(chance, lambda k: f'<net code="{k}" name="{name(chance)}"><node ref="R{k}" pin="1"/></net>')
    return f'{HEAD}<export version="{chance.choice("DE")}"><components/><nets>\n{nets}\n</nets></export>'


def one_net(chance: random.Random) -> str:
    pins = lines(chance, lambda k: f'<node ref="R{k}" pin="{k}"/>')
    return f'<net code="1" name="GND" class="Default">\n{pins}\n</net>'


def board(chance: random.Random) -> str:
    """As Eagle has it."""
    layers = lines(chance, lambda k: f'<layer number="{k}" name="{name(chance)}" color="4" fill="1"/>')
    return f'{HEAD}<!DOCTYPE eagle SYSTEM "eagle.dtd">\n<eagle version="9.6.2"><drawing><layers>\n{layers}\n</layers></drawing></eagle>'


def picture(chance: random.Random) -> str:
    layers = lines(chance, lambda k: f'<layer name="{name(chance)}" opacity="1.0" src="data/{k}.png"/>')
    return f'{HEAD}<image w="9" h="9"><stack><layers>\n{layers}\n</layers><edges/></stack></image>'


def editor(chance: random.Random) -> str:
    layers = lines(chance, lambda k: f'<layer name="{name(chance)}"/>')
    edges = lines(chance, lambda k: f'<edge id="{k}" source="n{k}" target="n0"/>')
    root = chance.choice(["graph", "network", "net"])
    return f"<{root}><layers>\n{layers}\n</layers><nodes/><edges>\n{edges}\n</edges></{root}>"


def synet(chance: random.Random) -> str:
    items = lines(chance, lambda k: f"<item><type>Scale</type><name>{name(chance)}</name><src>x</src></item>")
    return f"{HEAD}<network><version>1</version><name>x</name><layers>\n{items}\n</layers></network>"


def perceptron(chance: random.Random) -> str:
    return f"{HEAD}<net><layers>{chance.randrange(9)}</layers><weights>1 2 3</weights></net>"


def graphml(chance: random.Random) -> str:
    nodes = lines(chance, lambda k: f'<node id="n{k}"/><edge source="n{k}" target="n0"/>')
    return f'{HEAD}<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">{nodes}</graph></graphml>'


def svg(chance: random.Random) -> str:
    shapes = lines(chance, lambda k: f'<g id="layer{k}" inkscape:label="{name(chance)}"><path d="M0,0"/></g>')
    return f'{HEAD}<svg xmlns="http://www.w3.org/2000/svg" width="1">\n{shapes}\n</svg>'


def pom(chance: random.Random) -> str:
    wanted = lines(chance, lambda k: f"<dependency><artifactId>{name(chance)}</artifactId></dependency>")
    return f"{HEAD}<project><modelVersion>4.0.0</modelVersion><dependencies>{wanted}</dependencies></project>"


def plist(chance: random.Random) -> str:
    keys = lines(chance, lambda k: f"<key>{name(chance)}</key><integer>{k}</integer>")
    return f'{HEAD}<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x.dtd">\n<plist version="1.0"><dict>{keys}</dict></plist>'


def pmml(chance: random.Random) -> str:
    found = lines(chance, lambda k: f'<DataField name="{name(chance)}" optype="continuous" dataType="double"/>')
    return f'{HEAD}<PMML version="4.4"><DataDictionary>{found}</DataDictionary></PMML>'


FAMILIES = {
    "roads.xml": roads,
    "petri.xml": petri,
    "bayes.xml": bayes,
    "netlist.xml": netlist,
    "one_net.xml": one_net,
    "board.xml": board,
    "stack.xml": picture,
    "editor.xml": editor,
    "synet.xml": synet,
    "perceptron.xml": perceptron,
    "graphml.xml": graphml,
    "drawing.xml": svg,
    "pom.xml": pom,
    "plist.xml": plist,
    "pmml.xml": pmml,
}
