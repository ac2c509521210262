"""The scripts in the shells."""

import json
import shlex

from play import AREAS, CHILD, ENTRIES, INPUTS, LINES, NAMES, PASTED

# The template of the scripts. A script notes each answer with its name; a command's output is compared up to its last byte.
SHELL = """#!{shell}
# coordinator: title={title}; input=id {inputs}
n=$OUT/$(ask input id)
nl='
'
note() {{ printf '%s\\0%s\\0' "$1" "$2" >>"$n"; }}
whole() {{ v=$("$@"; echo .); v=${{v%.}}; v=${{v%"$nl"}}; }}
"""
KINDS_SHELL = """
eval "$(ask input --assignments {inputs})"
{note_inputs}
whole ask input i0; note first "$v"
eval "$(ask form many "Many" {fields} --assignments)"
{note_fields}
ask step keep --stdin pin -- sh -c 'cat >"$1"' sh "$n.pin"
whole ask form one "One" --multiline one; one=$v; note one "$one"
plain=$(ask form plain "Plain" --text plain); note plain "$plain"
whole ask form js "Js" --text a --multiline b --json; note js "$v"
rows() {{ printf '%s\\n' "$l0" | ask list "$@"; }}
whole rows row "Row $one" --body "$one" --items=- again="Again $one"; note row "$v"
whole rows rows "Rows" --items=- --multiple; note rows "$v"
whole ask menu size "Size" small=Small large="Large $one"; note size "$v"
if ask confirm sure "Sure, $one?"; then note sure yes; else note sure no; fi
whole ask run kid-{child} --value text id="$(ask input id)"; note kid "$v"
whole ask step say -- printf '%s\\n' "$one"; note say "$v"
ask message seen "Seen" --body "$one" --info "x $one"
ask finish one="$one"
"""
KID_SHELL = 'eval "$(ask form kid "Kid" --multiline text --assignments)"\nask finish text="$text"\n'
# The words of an undo command are the typed ones.
UNDO_SHELL = """
eval "$(ask form words "Words" {fields} --assignments)"
ask step one --undo sh -c 'printf "%s\\0" "$1" >>"$2"' sh "$w0" "$n.one" -- true
ask step all --undo={count} sh -c 'n=$1; shift; printf "%s\\0" "$@" >>"$n"' sh "$n.all" {words} -- true
ask menu after "After" go=Go
ask finish
"""
# A child that returns the contents of a file: any JSON, under any keys.
GIVEN_SHELL = 'ask finish "v:=$(cat "$n.v.json")" "w:=$(cat "$n.w.json")"\n'
PARENT_SHELL = """
id=$(ask input id)
child=$(ask input child)
ask menu go "Go?" go=Go
whole ask run "$child" --name none id="$id"; note none "$v"
whole ask run "$child" --name value id="$id" --value w; note value "$v"
whole ask run "$child" --name list id="$id" --value v; note list "$v"
v=; w=
eval "$(ask run "$child" --name named id="$id" --assignments=w,v,missing)"; note named-v "$v"; note named-w "$w"; note missing "$missing"
v=; w=
eval "$(ask run "$child" --name all id="$id" --assignments)"; note all-v "$v"; note all-w "$w"
whole ask run "$child" --name json id="$id" --json; note json "$v"
ask finish
"""
# A child chooses the names of its result, among them those of important variables.
KEYS_SHELL = """
ask menu go "Go?" go=Go
a=$(ask run given-py id="$(ask input id)" {how}); note printed "$a"
eval "$a"; note name "$name"; note path "$PATH"
ask finish
"""
LINK_SHELL = """
eval "$(ask input --assignments {keys})"
{notes}
{firsts}
ask finish
"""
# Values that an author permits, and values that are refused.
STRICT_SHELL = """
eval "$(ask form strict "Strict" --text name --pattern '^[a-z]*$' --choice c --option 'a;b=One' --option K=Two --assignments)"
note strict "$name $c"
ask finish
"""
PASTE_SHELL = """
eval "$(ask form paste "Paste" {fields} --assignments)"
{notes}
ask finish
"""
PAGE_SHELL = """
eval "$(ask form page "Page" {fields} --assignments)"
ask menu after "After" go=Go
note m0 "$m0"
ask finish
"""
LINE_SHELL = """
whole ask form line "Line" --text line; note line "$v"
ask finish
"""
TWINS_SHELL = """
eval "$(ask form rows "Rows" --texts l --assignments)"
rows() {{ printf '%s\n' "$l" | ask list "$@"; }}
whole rows row "Row" --items=-; note row "$v"
whole rows several "Several" --items=- --multiple; note several "$v"
ask menu after "After" go=Go
ask finish
"""
SECRET_SHELL = """
ask form secret "Secret" --secret pin
if ask step keep --stdin pin -- sh -c 'cat >"$1"' sh "$n.pin"; then note kept yes; else note kept no; fi
ask finish
"""
DIGITS_SHELL = """
c=$(ask form digits "Digits" --choice c --option 2=One --option 1=Two)
ask finish c="$c"
"""


def shell_fields(options):
    """Returns the fields of the first form of `kinds`."""
    words = [f"--text t{n}" for n in range(LINES)] + [f"--multiline m{n}" for n in range(AREAS)] + ["--texts l0 --texts l1"]
    options = " ".join(f"--option {shlex.quote(f'{one}=Choice {number}')}" for number, one in enumerate(options))
    words += [f"--choice c {options} --several s {options}", "--schema 'j={\"type\":\"string\",\"title\":\"J\"}'"]
    return " ".join([*words, f"--schema {shlex.quote('e=' + json.dumps(ENTRIES))}", "--secret pin"])


def write_shell_flows(world, name, shell, options):
    """Writes the flows in one of the shells."""
    keys = [f"i{n}" for n in range(INPUTS)]
    words = [f"w{n}" for n in range(AREAS)]

    def write(flow, text, declared="", **values):
        world.write(f"{flow}-{name}", SHELL.format(shell=shell, title=flow.capitalize(), inputs=declared) + text.format(**values))

    def notes(names):
        return "\n".join(f'note {one} "${one}"' for one in names)

    write("kinds", KINDS_SHELL, " ".join(f"{key}?" for key in keys), inputs=" ".join(keys), note_inputs=notes(keys),
          fields=shell_fields(options), note_fields=notes(NAMES), child=CHILD[name])
    world.write(f"kid-{name}", SHELL.format(shell=shell, title="Kid", inputs="") + KID_SHELL)
    write("undo", UNDO_SHELL, fields=" ".join(f"--multiline {word}" for word in words), count=AREAS + 5,
          words=" ".join(f'"${word}"' for word in words))
    world.write(f"given-{name}", SHELL.format(shell=shell, title="Given", inputs="") + GIVEN_SHELL)
    world.write(f"parent-{name}", SHELL.format(shell=shell, title="Parent", inputs="child") + PARENT_SHELL)
    for how in ("all", "named"):
        write(f"keys-{how}", KEYS_SHELL, how="--assignments" + "=name" * (how == "named"))
    firsts = "\n".join(f'whole ask input {key}; note first-{key[1:]} "$v"' for key in keys)
    write("link", LINK_SHELL, " ".join(f"{key}?" for key in keys), keys=" ".join(keys), notes=notes(keys), firsts=firsts)
    write("strict", STRICT_SHELL)
    write("paste", PASTE_SHELL, fields=" ".join(f"--text t{n}" for n in range(PASTED)), notes=notes(f"t{n}" for n in range(PASTED)))
    lines, areas = NAMES[:LINES], NAMES[LINES:LINES + AREAS]
    write("page", PAGE_SHELL, fields=" ".join([*(f"--text {line}" for line in lines), *(f"--multiline {area}" for area in areas)]))
    write("line", LINE_SHELL)
    write("twins", TWINS_SHELL)
    write("secret", SECRET_SHELL)
    write("digits", DIGITS_SHELL)
