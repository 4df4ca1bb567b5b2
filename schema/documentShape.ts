import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** Why a document is refused. `needsSession`: people who are signed in may send it. */
export interface ShapeProblem {
  message: string;
  needsSession?: true;
}

/** Nesting of fields. The deepest query of the dashboard has seven levels. */
const MAX_DEPTH = 10;
/** Types of nested lists (`ofType { ofType { … } }`) make the usual introspection query this deep. */
const MAX_INTROSPECTION_DEPTH = 16;
/** Nesting of fragments without a field between them. */
const MAX_FRAGMENT_DEPTH = 10;
/** Operations in a document, of which one is run: tools send whole files. */
const MAX_OPERATIONS = 10;
/**
 * Nodes of a document in which every fragment is expanded, plus comparisons of fields with the same response name.
 * graphql-js spends one to three microseconds on each of them, in several of its rules.
 */
const MAX_STEPS = 6000;

const INTROSPECTION = new Set(['__schema', '__type']);
/** A type may have hundreds of each of these, each with further types: a path may contain only one such list. */
const TYPE_LISTS = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes', 'enumValues']);

/**
 * Why a document is too expensive to validate, found in time that depends on the bounds above and not on the document:
 * graphql-js compares fields in pairs and follows every fragment spread, and aliases multiply introspection. Null if
 * validating it and computing its cost takes some ten milliseconds at most.
 */
export function shapeProblem(document: DocumentNode, isSignedIn: boolean): ShapeProblem | null {
  try {
    new ShapeWalk(document, isSignedIn).walk();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.problem;
    throw error;
  }
}

class Refusal extends Error {
  constructor(readonly problem: ShapeProblem) {
    super(problem.message);
  }
}

/** The position of the walk. */
interface Level {
  depth: number;
  /** Null outside introspection. */
  introspection: { isInTypeList: boolean } | null;
}

class ShapeWalk {
  readonly #document: DocumentNode;
  readonly #isSignedIn: boolean;
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #sizes = new WeakMap<object, number>();
  #stepsLeft = MAX_STEPS;

  constructor(document: DocumentNode, isSignedIn: boolean) {
    this.#document = document;
    this.#isSignedIn = isSignedIn;
  }

  /** Throws a `Refusal`. */
  walk(): void {
    const operations = this.#document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    if (operations.length > MAX_OPERATIONS) refuse(`A document may hold ${MAX_OPERATIONS} operations.`);
    for (const definition of this.#document.definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(definition.name.value, definition);
    }
    // Including unused fragments, which are validated too.
    for (const definition of this.#document.definitions) this.#walkDefinition(definition);
  }

  #walkDefinition(definition: DefinitionNode): void {
    if (!('selectionSet' in definition)) return;
    const rest = [...(definition.directives ?? []), ...(definition.variableDefinitions ?? [])];
    this.#spend(1 + rest.reduce((sum, node) => sum + this.#sizeOf(node), 0));
    const isOfIntrospection =
      definition.kind === Kind.FRAGMENT_DEFINITION && definition.typeCondition.name.value.startsWith('__');
    const introspection = isOfIntrospection ? { isInTypeList: false } : null;
    this.#walkLevel([definition.selectionSet], { depth: 1, introspection });
  }

  /** Walks the selection sets that make up one object of the response. */
  #walkLevel(sets: SelectionSetNode[], level: Level): void {
    const limit = level.introspection ? MAX_INTROSPECTION_DEPTH : MAX_DEPTH;
    if (level.depth > limit) refuse(`The query nests deeper than ${limit} fields.`);
    const fields = new Map<string, FieldNode[]>();
    for (const set of sets) this.#collect(set, fields, []);
    if (level.depth === 1) refuseSeveralIntrospections(fields);
    for (const [, twins] of fields) this.#walkField(twins, level);
  }

  /** Walks selections with the same response name; validation compares each pair of them. */
  #walkField(twins: FieldNode[], level: Level): void {
    const largest = twins.reduce((most, field) => Math.max(most, this.#sizeOf(field)), 1);
    this.#spend((twins.length * (twins.length - 1) * largest) / 2);
    const below = twins.flatMap(({ selectionSet }) => selectionSet ?? []);
    for (const field of twins) this.#checkIntrospection(field, level);
    if (below.length === 0) return;
    const names = twins.map(({ name }) => name.value);
    this.#walkLevel(below, { depth: level.depth + 1, introspection: introspectionBelow(names, level) });
  }

  #collect(set: SelectionSetNode, fields: Map<string, FieldNode[]>, within: string[]): void {
    if (within.length > MAX_FRAGMENT_DEPTH) refuse(`The query nests fragments deeper than ${MAX_FRAGMENT_DEPTH}.`);
    const spreads = set.selections.filter(({ kind }) => kind !== Kind.FIELD).length;
    this.#spend((spreads * (spreads - 1)) / 2);
    for (const selection of set.selections) {
      this.#spend(this.#sizeOf(selection));
      if (selection.kind === Kind.FIELD) {
        const name = selection.alias?.value ?? selection.name.value;
        const twins = fields.get(name);
        if (twins) twins.push(selection);
        else fields.set(name, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.#collect(selection.selectionSet, fields, [...within, '']);
      } else {
        const fragment = this.#fragments.get(selection.name.value);
        // Validation refuses unknown and recursive fragments.
        if (!fragment || within.includes(fragment.name.value)) continue;
        this.#collect(fragment.selectionSet, fields, [...within, fragment.name.value]);
      }
    }
  }

  #checkIntrospection(field: FieldNode, { introspection }: Level): void {
    if (INTROSPECTION.has(field.name.value) && !this.#isSignedIn) {
      throw new Refusal({
        message: 'Introspection needs a session. Sign in first.',
        needsSession: true,
      });
    }
    if (!introspection) return;
    if (field.alias && field.alias.value !== field.name.value) {
      refuse('Introspection does not allow aliases. Use the names of the fields.');
    }
    if (introspection.isInTypeList && TYPE_LISTS.has(field.name.value)) {
      refuse(
        `Introspection cannot ask for ${field.name.value} within another list of a type. Ask for the type by __type.`,
      );
    }
  }

  /** The number of nodes of a selection, without its inner selections, or of a variable definition. */
  #sizeOf(node: object): number {
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    const size = countNodes(node);
    this.#sizes.set(node, size);
    return size;
  }

  #spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft >= 0) return;
    refuse('The query has too many fields, fragments or arguments. Ask for less at once.');
  }
}

function refuse(message: string): never {
  throw new Refusal({ message });
}

/** Each of them returns as much as the whole schema. */
function refuseSeveralIntrospections(fields: Map<string, FieldNode[]>): void {
  const asked = [...fields.values()]
    .map(([first]) => first?.name.value ?? '')
    .filter((name) => INTROSPECTION.has(name));
  if (new Set(asked).size < asked.length) refuse('Ask for __schema and __type once in a query.');
}

function introspectionBelow(names: string[], { introspection }: Level): Level['introspection'] {
  if (!introspection) return names.some((name) => INTROSPECTION.has(name)) ? { isInTypeList: false } : null;
  return { isInTypeList: introspection.isInTypeList || names.some((name) => TYPE_LISTS.has(name)) };
}

/** Not recursive, because a document may nest as deeply as it has tokens. */
function countNodes(root: object): number {
  let count = 0;
  const left: object[] = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    if ('kind' in node) count += 1;
    for (const [name, inner] of Object.entries(node)) {
      if (name === 'loc' || name === 'selectionSet' || inner === null || typeof inner !== 'object') continue;
      left.push(inner);
    }
  }
  return count;
}
