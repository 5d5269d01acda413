import { parseAddress } from '../src/edge/middleware/addresses.js';

/** A value of a record in a test database. */
export type MmdbValue = string | number | readonly string[] | { readonly [name: string]: MmdbValue };

/** A database to write. `networks` are texts such as `8.8.8.0/24` that do not overlap. */
export interface MmdbContent {
  readonly type: string;
  readonly ipVersion: 4 | 6;
  readonly networks: Readonly<Record<string, MmdbValue>>;
}

const POINTER = { string: 2, uint32: 6, map: 7, array: 11 } as const;
const METADATA_MARK = Buffer.from([0xab, 0xcd, 0xef, ...Buffer.from('MaxMind.com')]);
const SEPARATOR = Buffer.alloc(16);
const RECORD_BYTES = 3;
/** Depth of an IPv4 address in a tree of IPv6 addresses, in bits. */
const IPV4_OFFSET_BITS = 96;

type Branch = Node | number | null;
/** A node of the search tree: the branches for 0 and 1. Each is another node, an offset of data, or nothing. */
type Node = [Branch, Branch];

/** Writes a small database in the MaxMind DB file format 2.0, with records of 24 bits. */
export function mmdbFile({ type, ipVersion, networks }: MmdbContent): Buffer {
  const root: Node = [null, null];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [network, value] of Object.entries(networks)) {
    insert(root, bitsOf(network, ipVersion), offset);
    const record = encode(value);
    data.push(record);
    offset += record.length;
  }
  const nodes = nodesUnder(root);
  const metadata = encode({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: type,
    description: {},
    ip_version: ipVersion,
    languages: [],
    node_count: nodes.length,
    record_size: RECORD_BYTES * 8,
  });
  return Buffer.concat([treeOf(nodes), SEPARATOR, ...data, METADATA_MARK, metadata]);
}

function bitsOf(network: string, ipVersion: 4 | 6): number[] {
  const [text = '', length = ''] = network.split('/');
  const address = parseAddress(text);
  if (address === null) throw new Error(`${network} is no network`);
  const bits = address.bytes.flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((place) => (byte >> place) & 1));
  const isInside = address.family === 4 && ipVersion === 6;
  return [...Array<number>(isInside ? IPV4_OFFSET_BITS : 0).fill(0), ...bits.slice(0, Number(length))];
}

function insert(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const bit of bits.slice(0, -1)) {
    const next = node[bit as 0 | 1];
    const child: Node = Array.isArray(next) ? next : [null, null];
    node[bit as 0 | 1] = child;
    node = child;
  }
  node[(bits.at(-1) ?? 0) as 0 | 1] = offset;
}

function nodesUnder(node: Node): Node[] {
  return [node, ...node.flatMap((branch) => (Array.isArray(branch) ? nodesUnder(branch) : []))];
}

function treeOf(nodes: readonly Node[]): Buffer {
  const places = new Map(nodes.map((node, index) => [node, index]));
  const tree = Buffer.alloc(nodes.length * 2 * RECORD_BYTES);
  for (const [index, branch] of nodes.flat().entries()) {
    const target = Array.isArray(branch) ? (places.get(branch) ?? 0) : nodes.length + offsetOf(branch);
    tree.writeUIntBE(target, index * RECORD_BYTES, RECORD_BYTES);
  }
  return tree;
}

function offsetOf(branch: number | null): number {
  return branch === null ? 0 : SEPARATOR.length + branch;
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([head(POINTER.string, value.length), Buffer.from(value)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(POINTER.uint32, bytes.length), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(POINTER.array, value.length), ...value.map(encode)]);
  const members = Object.entries(value as Record<string, MmdbValue>);
  return Buffer.concat([head(POINTER.map, members.length), ...members.flat().map(encode)]);
}

/** The control byte, for sizes below 29. A type above 7 takes a further byte. */
function head(type: number, size: number): Buffer {
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size]);
}
