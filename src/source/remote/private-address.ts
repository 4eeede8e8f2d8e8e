import { BlockList, isIP, isIPv6 } from 'node:net';

/** The networks of machines, rooms, companies and clouds, by the RFC that reserves each. */
const v4 = [
  '0.0.0.0/8', // this network (791)
  '10.0.0.0/8', // private (1918)
  '100.64.0.0/10', // behind a provider's address translation (6598); holds a metadata address
  '127.0.0.0/8', // loopback (1122)
  '169.254.0.0/16', // link-local (3927); holds the metadata addresses of most clouds
  '172.16.0.0/12', // private (1918)
  '192.0.0.0/24', // protocols (6890); holds a metadata address
  '192.168.0.0/16', // private (1918)
  '198.18.0.0/15', // benchmarks (2544)
  '224.0.0.0/4', // multicast (5771)
  '240.0.0.0/4', // reserved (1112), and broadcast
];
const v6 = [
  '::/128', // unspecified (4291)
  '::1/128', // loopback (4291)
  '64:ff9b:1::/48', // local translation (8215)
  'fc00::/7', // unique local (4193); holds a metadata address
  'fe80::/10', // link-local (4291)
  'fec0::/10', // site-local (3879)
  'ff00::/8', // multicast (4291)
];

/** IPv6 addresses that contain one of IPv4: mapped (4291) and translated (6052). */
const embedding = ['::ffff:', '64:ff9b::'];

const networks = new BlockList();
for (const [network = '', length] of v6.map((one) => one.split('/'))) {
  networks.addSubnet(network, Number(length), 'ipv6');
}
for (const [network = '', length] of v4.map((one) => one.split('/'))) {
  networks.addSubnet(network, Number(length), 'ipv4');
  for (const prefix of embedding) networks.addSubnet(prefix + network, 96 + Number(length), 'ipv6');
}

/** Whether an IP address belongs to this machine or to a network that is not the public internet. */
export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  return isIP(plain) !== 0 && networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
