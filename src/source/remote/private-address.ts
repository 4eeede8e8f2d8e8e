import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * The networks of machines, rooms, companies and clouds: this network, private, loopback, link-local (with the metadata
 * addresses of clouds), protocols, benchmarks, multicast and reserved (RFC 6890, 6598, 8215, 4193, 4291, 3879).
 */
const v4 = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 ' +
  '198.18.0.0/15 224.0.0.0/4 240.0.0.0/4'
).split(' ');
const v6 = '::/128 ::1/128 64:ff9b:1::/48 fc00::/7 fe80::/10 fec0::/10 ff00::/8'.split(' ');

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
