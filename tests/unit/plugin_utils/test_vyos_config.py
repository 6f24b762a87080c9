# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The two forms of VyOS' and EdgeOS' language, and the table of what each version knows."""

from __future__ import annotations

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import (
    ConfigError,
    errors,
    parse_commands,
    parse_curly,
    to_commands,
    to_curly,
    unique,
)
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import PathError, explain, read_table, schema

CURLY = """\
interfaces {
    ethernet eth0 {
        address 10.0.0.1/24
        address 10.0.1.1/24
        description "two words { } // #"
        vif 20 {
            address dhcp
        }
        vif 100 {
            address 10.9.0.1/24
        }
    }
    loopback lo {
    }
}
protocols {
    ospf {
        default-information {
            originate {
            }
        }
    }
}
service {
    dhcp-server {
        shared-network-name LAN {
            authoritative
        }
    }
}
"""
COMMANDS = """\
set interfaces ethernet eth0 address 10.0.0.1/24
set interfaces ethernet eth0 address 10.0.1.1/24
set interfaces ethernet eth0 description 'two words { } // #'
set interfaces ethernet eth0 vif 20 address dhcp
set interfaces ethernet eth0 vif 100 address 10.9.0.1/24
set interfaces loopback lo
set protocols ospf default-information originate
set service dhcp-server shared-network-name LAN authoritative
"""


def test_the_two_forms_say_the_same() -> None:
    assert to_commands(parse_curly(CURLY)) == COMMANDS
    assert to_curly(parse_commands(COMMANDS), schema("vyos", "1.4")) == CURLY


def test_values_of_a_list_keep_their_order_and_rules_go_by_number() -> None:
    paths = parse_commands("set system name-server 9.9.9.9\nset system name-server 1.1.1.1\nset nat source rule 100 exclude\nset nat source rule 20 exclude\n")
    text = to_curly(paths, schema("vyos", "1.4"))
    assert text.index("9.9.9.9") < text.index("1.1.1.1")
    assert text.index("rule 20 {") < text.index("rule 100 {")


def test_a_name_and_a_value_before_a_brace_and_edgeos_start_stop() -> None:
    command = "set service dhcp-server shared-network-name LAN subnet 10.0.0.0/24 start 10.0.0.10 stop 10.0.0.20\n"
    text = to_curly(parse_commands(command), schema("edgeos", "2.0"))
    assert "                start 10.0.0.10 {\n                    stop 10.0.0.20\n                }\n" in text
    assert to_commands(parse_curly(text)) == command


def test_comments_and_the_version_footer_are_passed_over() -> None:
    text = "/* a comment\n over two lines */\nsystem { // here\n    host-name r1\n}\n// Warning: Do not remove the following line.\n/* === x === */\n"
    assert parse_curly(text) == [("system", "host-name", "r1")]


def test_blocks_of_one_name_are_one() -> None:
    text = "system {\n    host-name r1\n}\nsystem {\n    domain-name x.example\n}\n"
    assert to_curly(parse_curly(text), schema("vyos", "1.2")) == "system {\n    domain-name x.example\n    host-name r1\n}\n"


def test_each_path_once_and_no_bare_node_beside_its_content() -> None:
    lo, address = ("interfaces", "loopback", "lo"), ("interfaces", "loopback", "lo", "address", "10.0.0.1/32")
    assert unique([lo, address, address]) == [address]
    assert unique([lo, lo]) == [lo]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("system {\n    host-name r1\n", "line 2: a closing brace is missing: still open at the end: 'system' (line 1)"),
        ("system {\n}\n}\n", "line 3: a brace closes that was never opened"),
        ("{\n}\n", "line 1: a brace opens without a name before it"),
        ("system {\n    host-name r1 r2\n}\n", "line 2: more than a name and a value: 'host-name r1 r2'"),
        ("a b c {\n}\n", "line 1: more than a name and a value before a brace: 'a b c'"),
        ('system {\n    host-name "r1\n}\n', "line 2: a quoted text is not closed: '\"r1'"),
    ],
)
def test_a_curly_text_that_is_none_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_curly(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("indent", range(2, 9, 2))
def test_indentation_points_to_the_lost_brace(indent: int) -> None:
    blank = " " * indent
    text = f"a {{\n{blank}b {{\n{blank * 2}c {{\n{blank * 3}d e\n{blank}}}\n{blank}f g\n}}\n"
    with pytest.raises(ConfigError, match=r"missing before line 5, which closes 'c' of line 3"):
        parse_curly(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("set a b\ndelete a b\n", "line 2: is not a set command: 'delete a b'"),
        ("set\n", "line 1: is not a set command: 'set'"),
        ("\n# fine\nset a 'b\n", 'line 3: No closing quotation: "set a \'b"'),
    ],
)
def test_a_command_that_is_none_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_commands(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("dialect", "command", "reason"),
    [
        ("1.2", "service dhcp-server shared-network-name L subnet 10.0.0.0/24 name-server 10.0.0.1", "'name-server' is not known here"),
        ("1.3", "service dhcp-server shared-network-name L subnet 10.0.0.0/24 dns-server 10.0.0.1", "'dns-server' is not known here"),
        ("1.4", "service dhcp-server shared-network-name L subnet 10.0.0.0/24 subnet-id 1", "'subnet-id' is not known here"),
        ("1.5", "service dhcp-server shared-network-name L subnet 10.0.0.0/24 default-router 10.0.0.1", "'default-router' is not known here"),
        ("1.3", "nat source rule 10 outbound-interface name eth0", "'outbound-interface' does not take 'name'"),
        ("1.4", "nat source rule 10 outbound-interface eth0", "'eth0' is not known here; there is name"),
        ("1.3", "protocols ospf interface eth1 passive", "'interface' is not known here"),
        ("1.4", "protocols ospf passive-interface eth1", "'passive-interface' does not take 'eth1', only default"),
        ("1.3", "firewall ipv4 name X default-action drop", "'ipv4' is not known here"),
        ("1.4", "firewall name X default-action drop", "'name' is not known here"),
        ("1.4", "firewall ipv4 name X rule 10 state established enable", "nothing may follow 'firewall ipv4 name X rule 10 state established'"),
        ("1.4", "interfaces ethernet eth0 firewall in name X", "'firewall' is not known here"),
        ("1.5", "firewall zone LAN member interface eth1", "'member' is not known here"),
        ("rolling", "firewall zone LAN interface eth1", "'interface' is not known here"),
        ("1.3", "firewall name ABCDEFGHIJKLMNOPQRSTUVWXYZABC default-action drop", "'name' does not take"),
        ("1.3", "firewall name LAN-INPUT default-action drop", "'name' does not take 'LAN-INPUT'"),
        ("1.3", "zone-policy zone ABCDEFGHIJKLMNOPQRS default-action drop", "'zone' does not take"),
        ("1.2", "interfaces ethernet ens192 address dhcp", "'ethernet' does not take 'ens192'"),
        ("1.2", "interfaces ethernet eth0 mtu 9100", "'mtu' does not take '9100', only 68-9000"),
        ("1.4", "interfaces ethernet eth0", "'eth0' says nothing by itself"),
        ("1.4", "interfaces ethernet", "'ethernet' needs a value"),
        ("1.4", "service dhcp-server shared-network-name L authoritative yes", "nothing may follow"),
        ("1.4", "interfaces ethernet eth0 address 10.0.0.300/24", "'address' does not take '10.0.0.300/24'"),
        ("1.4", "interfaces ethernet eth0 vif ٣ address dhcp", "'vif' does not take '٣', only 1-4094"),
    ],
)
def test_what_a_version_does_not_know_is_refused(dialect: str, command: str, reason: str) -> None:
    found = explain(tuple(command.split()), schema("vyos", dialect))
    assert found is not None and found.startswith(reason)


def test_edgeos_numbers_its_source_rules_from_5000_on() -> None:
    root = schema("edgeos", "1.10")
    assert explain(("service", "nat", "rule", "5010", "type", "masquerade"), root) is None
    assert explain(("service", "nat", "rule", "10", "type", "masquerade"), root) == "'rule' does not take '10', only 5000-9999"


def test_all_errors_are_told() -> None:
    paths = parse_commands("set nonsense\nset system host-name r1\nset system more nonsense\n")
    assert len(errors(paths, schema("vyos", "1.4"))) == 2


def test_a_path_outside_the_table_has_no_curly_form() -> None:
    with pytest.raises(PathError):
        to_curly([("system", "nonsense")], schema("vyos", "1.4"))


TABLE = """
a
  b * : 1-9
    @own
  c = : x|y [2+]
  c ! [-1]
  d *? [1 3]
@own
  e =+ : {ip}
"""


@pytest.mark.parametrize(
    ("version", "path", "valid"),
    [
        ("1", "a b 5 e 10.0.0.1", True),
        ("1", "a b 10 e 10.0.0.1", False),
        ("1", "a b 5 e x", False),
        ("1", "a c", True),
        ("1", "a c x", False),
        ("2", "a c x", True),
        ("2", "a c z", False),
        ("2", "a d n", False),
        ("3", "a d n", True),
        ("3", "a", False),
    ],
)
def test_a_table_is_read_for_a_version(version: str, path: str, valid: bool) -> None:
    assert (explain(tuple(path.split()), read_table(TABLE, version, ("1", "2", "3"))) is None) == valid


def test_a_line_that_is_none_of_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="not a line of a table: 'a b c'"):
        read_table("a b c\n", "1", ("1",))
