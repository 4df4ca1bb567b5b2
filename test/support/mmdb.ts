import ipaddr from 'ipaddr.js';

/** A value that such a database can hold, as far as tests need it. */
type Value = string | number | boolean | Value[] | { [key: string]: Value };

type Node = { left: Node | Value | null; right: Node | Value | null };

const TYPES = { text: 2, map: 7, uint32: 6, array: 11, boolean: 14 };
const SEPARATOR = Buffer.alloc(16);
const MARK = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')]);

/** A file in MaxMind's format: CIDR block → what is known of it. Blocks must not overlap. */
export function mmdb(networks: Record<string, Value>): Buffer {
  const root: Node = { left: null, right: null };
  for (const [block, value] of Object.entries(networks)) put(root, bitsOf(block), value);
  const nodes = listed(root);
  const data: Buffer[] = [];
  let size = 0;
  const tree = Buffer.alloc(nodes.length * 8);
  const record = (child: Node | Value | null) => {
    if (child === null) return nodes.length;
    const at = nodes.indexOf(child as Node);
    if (at >= 0) return at;
    const bytes = encode(child as Value);
    data.push(bytes);
    size += bytes.length;
    return nodes.length + SEPARATOR.length + size - bytes.length;
  };
  for (const [at, node] of nodes.entries()) {
    tree.writeUInt32BE(record(node.left), at * 8);
    tree.writeUInt32BE(record(node.right), at * 8 + 4);
  }
  const metadata = encode({
    node_count: nodes.length,
    record_size: 32,
    ip_version: 6,
    database_type: 'Test-City',
    languages: ['en'],
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1_700_000_000,
    description: { en: 'Test' },
  });
  return Buffer.concat([tree, SEPARATOR, ...data, MARK, metadata]);
}

/** Of an IPv6 tree; IPv4 lies in ::/96. */
function bitsOf(block: string): number[] {
  const [address, prefix] = ipaddr.parseCIDR(block);
  const bytes = address.toByteArray();
  const bits = [...new Array(128 - bytes.length * 8).fill(0), ...bytes.flatMap(bitsOfByte)];
  return bits.slice(0, 128 - bytes.length * 8 + prefix);
}

const bitsOfByte = (byte: number) => Array.from({ length: 8 }, (_, at) => (byte >> (7 - at)) & 1);

function put(root: Node, bits: number[], value: Value): void {
  let node = root;
  for (const [at, bit] of bits.entries()) {
    const side = bit ? 'right' : 'left';
    if (at === bits.length - 1) {
      node[side] = value;
      return;
    }
    const child = node[side] ?? { left: null, right: null };
    node[side] = child;
    node = child as Node;
  }
}

function listed(root: Node): Node[] {
  const nodes = [root];
  for (const { left, right } of nodes) for (const child of [left, right]) if (isNode(child)) nodes.push(child);
  return nodes;
}

function isNode(child: Node | Value | null): child is Node {
  return typeof child === 'object' && child !== null && 'left' in child && 'right' in child;
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') return Buffer.concat([head(TYPES.text, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'boolean') return head(TYPES.boolean, Number(value));
  if (Array.isArray(value)) return Buffer.concat([head(TYPES.array, value.length), ...value.map(encode)]);
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([head(TYPES.uint32, 4), bytes]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([head(TYPES.map, entries.length), ...entries.flatMap((entry) => entry.map(encode))]);
}

/** Up to 284 bytes or entries. */
function head(type: number, size: number): Buffer {
  const small = Math.min(size, 29);
  const more = size < 29 ? [] : [size - 29];
  return Buffer.from(type <= 7 ? [(type << 5) | small, ...more] : [small, type - 7, ...more]);
}
