# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The properties of Untangle's Java classes, as far as the room ``untangle`` writes them.

One block is one class, one line a property and its kind; a word ``>=DIALECT`` behind it says since when there is such a property:

    name int|bool|number|text|ip
    name A|B          one of these words
    name Class        an object
    name [Class]      a list of objects, or of values: ``[ip]``
"""

from __future__ import annotations

TABLE = """
uvm.network.NetworkSettings
  version int
  hostName text
  domainName text
  httpPort int
  httpsPort int
  interfaces [uvm.network.InterfaceSettings]
  virtualInterfaces [uvm.network.InterfaceSettings]
  devices [uvm.network.DeviceSettings]
  accessRules [uvm.network.FilterRule]
  filterRules [uvm.network.FilterRule]
  natRules [uvm.network.NatRule]
  bypassRules [uvm.network.BypassRule]
  portForwardRules [uvm.network.PortForwardRule]
  staticRoutes [uvm.network.StaticRoute]
  staticDhcpEntries [uvm.network.DhcpStaticEntry]
  dhcpRelays [uvm.network.DhcpRelay] >=17.0
  dhcpAuthoritative bool
  blockInvalidPackets bool
  blockReplayPackets bool
  qosSettings uvm.network.QosSettings
  dynamicRoutingSettings uvm.network.DynamicRoutingSettings
  dnsSettings uvm.network.DnsSettings
  upnpSettings uvm.network.UpnpSettings
uvm.network.InterfaceSettings
  interfaceId int
  name text
  physicalDev text
  systemDev text
  symbolicDev text
  imqDev text
  isWan bool
  isVlanInterface bool
  isVirtualInterface bool
  vlanTag int
  vlanParent int
  configType ADDRESSED|BRIDGED|DISABLED
  v4ConfigType STATIC|AUTO|PPPOE
  v4StaticAddress ip
  v4StaticPrefix int
  v4StaticNetmask ip
  v4StaticGateway ip
  v4StaticDns1 ip
  v4StaticDns2 ip
  v4AutoDns1Override ip
  v4AutoDns2Override ip
  v4NatEgressTraffic bool
  v4NatIngressTraffic bool
  v6ConfigType STATIC|AUTO|DISABLED
  v4Aliases [uvm.network.InterfaceSettings$InterfaceAlias]
  v6Aliases [uvm.network.InterfaceSettings$InterfaceAlias]
  vrrpAliases [uvm.network.InterfaceSettings$InterfaceAlias]
  dhcpType SERVER|RELAY|DISABLED >=17.0
  dhcpEnabled bool
  dhcpRangeStart ip
  dhcpRangeEnd ip
  dhcpLeaseDuration int
  dhcpGatewayOverride ip
  dhcpDnsOverride text
  dhcpOptions [uvm.network.DhcpOption]
  uploadBandwidthKbps int
  downloadBandwidthKbps int
  qosEnabled bool >=17.5
uvm.network.InterfaceSettings$InterfaceAlias
uvm.network.PortForwardRule
uvm.network.DhcpRelay
uvm.network.DeviceSettings
  deviceName text
  mtu int
uvm.network.FilterRule
  ruleId int
  enabled bool
  ipv6Enabled bool
  blocked bool
  description text
  conditions [uvm.network.FilterRuleCondition]
uvm.network.FilterRuleCondition
  conditionType SRC_INTF|DST_INTF|SRC_ADDR|DST_ADDR|PROTOCOL|SRC_PORT|DST_PORT
  value text
  invert bool
uvm.network.NatRule
  ruleId int
  enabled bool
  auto bool
  description text
  conditions [uvm.network.NatRuleCondition]
uvm.network.NatRuleCondition
  conditionType DST_INTF|SRC_ADDR
  value text
  invert bool
uvm.network.BypassRule
  ruleId int
  enabled bool
  bypass bool
  description text
  conditions [uvm.network.BypassRuleCondition]
uvm.network.BypassRuleCondition
uvm.network.StaticRoute
  ruleId int
  description text
  network ip
  prefix int
  nextHop text
uvm.network.DhcpStaticEntry
  macAddress text
  address ip
  description text
uvm.network.DhcpOption
  enabled bool
  description text
  value text
uvm.network.DnsSettings
  staticEntries [uvm.network.DnsStaticEntry]
  localServers [uvm.network.DnsLocalServer]
uvm.network.DnsStaticEntry
uvm.network.DnsLocalServer
uvm.network.UpnpSettings
  upnpEnabled bool
  secureMode bool
  listenPort int
  upnpRules [uvm.network.UpnpRule]
uvm.network.UpnpRule
uvm.network.QosSettings
  qosEnabled bool
  queueDiscipline fq_codel|sfq|pfifo
  defaultPriority int
  pingPriority int
  dnsPriority int
  sshPriority int
  openvpnPriority int
  qosPriorities [uvm.network.QosPriority]
  qosRules [uvm.network.QosRule]
uvm.network.QosRule
uvm.network.QosPriority
  priorityId int
  priorityName text
  uploadReservation number
  uploadLimit number
  downloadReservation number
  downloadLimit number
uvm.network.DynamicRoutingSettings
  enabled bool
  bgpEnabled bool
  bgpRouterId text
  bgpRouterAs text
  bgpNeighbors [uvm.network.DynamicRouteBgpNeighbor]
  bgpNetworks [uvm.network.DynamicRouteNetwork]
  ospfEnabled bool
  ospfRouterId text
  ospfAutoCost int
  ospfAbrType int
  ospfUseDefaultMetricEnabled bool
  ospfDefaultMetric int
  ospfDefaultInformationOriginateType int
  ospfDefaultInformationOriginateMetric int
  ospfDefaultInformationOriginateExternalType int
  ospfRedistConnectedEnabled bool
  ospfRedistConnectedMetric int
  ospfRedistConnectedExternalType int
  ospfRedistStaticEnabled bool
  ospfRedistBgpEnabled bool
  ospfNetworks [uvm.network.DynamicRouteNetwork]
  ospfAreas [uvm.network.DynamicRouteOspfArea]
  ospfInterfaces [uvm.network.DynamicRouteOspfInterface]
uvm.network.DynamicRouteBgpNeighbor
uvm.network.DynamicRouteNetwork
  ruleId int
  enabled bool
  description text
  network ip
  prefix int
  area int
uvm.network.DynamicRouteOspfArea
  ruleId int
  description text
  area text
  type int
  authentication int
  virtualLinks [ip]
uvm.network.DynamicRouteOspfInterface
  ruleId int
  enabled bool
  description text
  dev text
  helloInterval int
  deadInterval int
  retransmitInterval int
  transmitDelay int
  routerPriority int
  autoInterfaceCost bool
  interfaceCost int
  authentication int
uvm.SnmpSettings
  enabled bool
  port int
  communityString text
  sysLocation text
  sysContact text
  sendTraps bool
  v3Enabled bool
  v3Required bool
app.ipsec_vpn.IpsecVpnSettings
  tunnels [app.ipsec_vpn.IpsecVpnTunnel]
app.ipsec_vpn.IpsecVpnTunnel
  id int
  active bool
  ikeVersion int
  conntype text
  description text
  secret text
  runmode text
  dpddelay text
  dpdtimeout text
  phase1Manual bool
  phase1Cipher text
  phase1Hash text
  phase1Group text
  phase1Lifetime text
  phase2Manual bool
  phase2Cipher text
  phase2Hash text
  phase2Group text
  phase2Lifetime text
  left text
  leftId text
  leftSubnet text
  right text
  rightId text
  rightSubnet text
"""
