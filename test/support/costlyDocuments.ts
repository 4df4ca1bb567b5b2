/** A document that is made to be dear to check: what it is made of, its text and variables. */
export interface CostlyDocument {
  name: string;
  query: string;
  variables?: Record<string, unknown>;
}

const many = (times: number, make: (index: number) => string) =>
  Array.from({ length: times }, (_, at) => make(at)).join(' ');
const nested = (depth: number, inner: string, open: string) => `${open}{`.repeat(depth) + inner + '}'.repeat(depth);

/** Sizes below and above what is let through, so that the dearest of what is let through is among them. */
const WIDTHS = [5, 20, 60, 100, 200, 700, 3000];
const DEPTHS = [2, 5, 10, 40];
const SIGN_IN = 'mutation ($input: SignInInput!) { signIn(input: $input) { id } }';
const CREATE = 'mutation ($input: BulkCreateLinksInput!) { bulkCreateLinks(input: $input) { batchId } }';

export function costlyDocuments(): CostlyDocument[] {
  return [...wide(), ...deep(), ...ofIntrospection(), ...ofVariables()];
}

function wide(): CostlyDocument[] {
  return WIDTHS.flatMap((n) => [
    { name: `${n} times one field with fields`, query: `{ ${many(n, () => 'me { id email }')} }` },
    { name: `${n} times one field`, query: `{ me { ${many(n, () => 'id')} } }` },
    { name: `${n} aliases`, query: `{ ${many(n, (i) => `a${i}: me { id }`)} }` },
    { name: `${n} aliases of lists`, query: `{ ${many(n, (i) => `a${i}: teams { id name }`)} }` },
    { name: `${n} unknown fields`, query: `{ ${many(n, (i) => `proyekt${i}`)} }` },
    { name: `${n} unknown arguments`, query: `{ links(${many(n, (i) => `projektId${i}: 1`)}) { data { id } } }` },
    { name: `${n} equal fields with arguments`, query: `{ ${many(n, () => LINKS)} }` },
    { name: `${n} inline fragments`, query: `{ me { ${many(n, () => '... on User { id }')} } }` },
    { name: `${n} inline fragments with fields`, query: `{ ${many(n, () => '... { me { id email } }')} }` },
    { name: `${n} directives`, query: `{ me { id ${many(n, () => '@include(if: true)')} } }` },
    { name: `${n} fields with directives`, query: `{ ${many(n, (i) => `a${i}: me @skip(if: true) { id }`)} }` },
    { name: `${n} operations`, query: many(n, (i) => `query q${i} { me { id } }`) },
    { name: `${n} variables`, query: `query (${many(n, (i) => `$v${i}: ID`)}) { me { id } }` },
    { name: `${n} values of a list`, query: `{ links(projectId: [${many(n, (i) => `"${i}"`)}]) { data { id } } }` },
    {
      name: `${n} fields of an object`,
      query: `mutation { signIn(input: { ${many(n, (i) => `emial${i}: 1`)} }) { id } }`,
    },
    { name: `${n} fragments side by side`, query: `{ me { ${many(n, (i) => `...F${i}`)} } } ${many(n, fragment)}` },
    { name: `${n} fragments that nothing spreads`, query: `{ me { id } } ${many(n, fragment)}` },
    { name: `${n} spreads of one fragment`, query: `{ ${many(n, () => 'me { ...F0 }')} } ${fragment(0)}` },
    { name: `${n} typenames`, query: `{ ${many(n, (i) => `a${i}: __typename`)} }` },
    { name: `a name of ${n * 100}`, query: `{ ${'a'.repeat(n * 100)} }` },
    { name: `a string of ${n * 100}`, query: `{ link(id: "${'a'.repeat(n * 100)}") { id } }` },
    { name: `a block of ${n * 20} lines`, query: `{ link(id: """${'\n  a'.repeat(n * 20)}""") { id } }` },
    { name: `a comment of ${n * 100}`, query: `# ${'a'.repeat(n * 100)}\n{ me { id } }` },
    { name: `${n * 100} commas`, query: `{ me { ${','.repeat(n * 100)} id } }` },
  ]);
}

const LINKS = 'links(projectId: "prj_1", limit: 50, tag: "a", status: active, search: "b") { data { id slug } }';
const fragment = (at: number) => `fragment F${at} on User { id email }`;

function deep(): CostlyDocument[] {
  return DEPTHS.flatMap((depth) => [
    { name: `${depth} fields deep`, query: `{ ${nested(depth, 'id', 'me ')} }` },
    { name: `${depth} inline fragments deep`, query: `{ ${nested(depth, 'me { id }', '... on Query ')} }` },
    { name: `${depth} lists deep`, query: `{ link(id: ${'['.repeat(depth * 15)}1${']'.repeat(depth * 15)}) { id } }` },
    {
      name: `a type ${depth} deep`,
      query: `query ($v: ${'['.repeat(depth * 15)}ID${']'.repeat(depth * 15)}) { me { id } }`,
    },
    { name: `fragments that double ${depth} times`, query: doubling(depth, 2, 'User', '{ me { ...D0 } }', 'id') },
    { name: `fragments that triple ${depth} times`, query: doubling(depth, 3, 'User', '{ me { ...D0 } }', 'id email') },
    { name: `fields that double ${depth} times`, query: `{ ${tree(depth, 2)} }` },
    { name: `aliases that double ${depth} times`, query: aliased(depth, 2) },
    { name: `aliases that grow tenfold ${depth} times`, query: aliased(depth, 10) },
    { name: `a ring of ${depth} fragments`, query: ring(depth) },
    { name: `${depth} operations of ${depth} fragments`, query: chained(depth) },
  ]);
}

function doubling(depth: number, times: number, type: string, start: string, end: string): string {
  const one = (at: number) =>
    `fragment D${at} on ${type} { ${many(times, () => (at + 1 < depth ? `...D${at + 1}` : end))} }`;
  return `${start} ${many(depth, one)}`;
}

/** A tree of fields that all have one name, so that every pair of them is compared. */
function tree(depth: number, width: number): string {
  return depth === 0 || depth > 12 ? 'id' : many(width, () => `me { ${tree(depth - 1, width)} }`);
}

/** Each fragment asks for the next one by several names: nothing of it is the same field. */
function aliased(depth: number, width: number): string {
  const one = (at: number) =>
    `fragment D${at} on Team { ${many(width, (i) => (at + 1 < depth ? `a${i}: project { team { ...D${at + 1} } }` : `a${i}: id`))} }`;
  return `{ teams { ...D0 } } ${many(depth, one)}`;
}

function ring(size: number): string {
  return `{ me { ...R0 } } ${many(size, (at) => `fragment R${at} on User { ${many(3, (i) => `...R${(at + i) % size}`)} id }`)}`;
}

function chained(size: number): string {
  const operations = many(size, (at) => `query q${at}($v${at}: Boolean!) { me { ...C0 id @include(if: $v${at}) } }`);
  return `${operations} ${many(size, (at) => `fragment C${at} on User { id ${at + 1 < size ? `...C${at + 1}` : ''} }`)}`;
}

function ofIntrospection(): CostlyDocument[] {
  const multiplied = [4, 10, 20].map((n) => ({
    name: `introspection, ${n}·${n}·${n} aliases`,
    query: `{ ${many(n, (i) => `a${i}: __schema { ...S }`)} } fragment S on __Schema { ${many(n, (i) => `b${i}: types { ...T }`)} }
      fragment T on __Type { ${many(n, (i) => `c${i}: fields { name }`)} }`,
  }));
  const lists = [
    'fields { type { fields { name } } }',
    'fields { type { possibleTypes { name } } }',
    'a: fields { name }',
  ];
  return [
    ...multiplied,
    ...lists.map((list) => ({ name: `introspection of ${list}`, query: `{ __schema { types { ${list} } } }` })),
    { name: 'two types', query: '{ a: __type(name: "Query") { name } b: __type(name: "Link") { name } }' },
    {
      name: 'introspection by doubled fragments',
      query: doubling(30, 2, '__Schema', '{ __schema { ...D0 } }', '__typename'),
    },
    {
      name: 'everything of the schema',
      query: `{ __schema { types { name description fields { name args { name type { ...T } } type { ...T } } inputFields { name type { ...T } }
        enumValues { name } possibleTypes { ...T } interfaces { ...T } } } }
        fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } }`,
    },
  ];
}

function ofVariables(): CostlyDocument[] {
  const link = (at: number) => ({ destination: `https://www.example.com/${at}`, title: 'A title' });
  const unknown = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`destinatoin${at}`, at]));
  return [10, 1000, 10_000].flatMap((n) => [
    {
      name: `${n} links`,
      query: CREATE,
      variables: { input: { projectId: 'x', links: Array.from({ length: n }, (_, at) => link(at)) } },
    },
    { name: `${n} unknown fields of an input`, query: SIGN_IN, variables: { input: unknown(n) } },
    {
      name: `${n} values of the wrong kind`,
      query: CREATE,
      variables: { input: { projectId: 'x', links: Array.from({ length: n }, () => 5) } },
    },
    { name: `${n} variables that nothing takes`, query: '{ me { id } }', variables: unknown(n) },
    { name: `a value of ${n * 50} characters`, query: CREATE, variables: { input: 'x'.repeat(n * 50) } },
  ]);
}
