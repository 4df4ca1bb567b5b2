import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** Why a document is not looked at any further; `needsSession`: somebody who is signed in may ask it. */
export interface ShapeProblem {
  message: string;
  needsSession?: true;
}

/** Fields within fields. The dashboard's deepest question has seven. */
const MAX_DEPTH = 10;
/** The types of lists of lists (`ofType { ofType { … } }`) make the usual introspection query this deep. */
const MAX_INTROSPECTION_DEPTH = 16;
/** Fragments within fragments, with no field between them. */
const MAX_FRAGMENT_DEPTH = 10;
/** Of which one is run: tools send a file of them. */
const MAX_OPERATIONS = 10;
/**
 * Nodes of a document with every fragment written out where it is spread, and comparisons of fields that have one name in
 * the answer. graphql-js spends one to three microseconds on each, in several of its rules.
 */
const MAX_STEPS = 6000;

const INTROSPECTION = new Set(['__schema', '__type']);
/** Of each of these a type may have hundreds, each with types of its own: only one stands on a way down. */
const TYPE_LISTS = new Set(['fields', 'inputFields', 'interfaces', 'possibleTypes', 'enumValues']);

/**
 * What makes a document too dear to be validated, found in time that grows with its bound and not with what it asks:
 * graphql-js compares fields in pairs and follows fragments wherever they are spread, and introspection multiplies by
 * aliases. Null: validating and costing it takes some ten milliseconds at most.
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

/** Where a walk is. */
interface Level {
  depth: number;
  /** Null outside of introspection. */
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
    // Also fragments that nothing spreads: they are validated too.
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

  /** The selection sets that make up one object of the answer. */
  #walkLevel(sets: SelectionSetNode[], level: Level): void {
    const limit = level.introspection ? MAX_INTROSPECTION_DEPTH : MAX_DEPTH;
    if (level.depth > limit) refuse(`The query nests deeper than ${limit} fields.`);
    const fields = new Map<string, FieldNode[]>();
    for (const set of sets) this.#collect(set, fields, []);
    if (level.depth === 1) refuseSeveralIntrospections(fields);
    for (const [, twins] of fields) this.#walkField(twins, level);
  }

  /** Selections of one name in the answer, of which each pair will be compared. */
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
        // One that is unknown or spreads itself is refused by validation.
        if (!fragment || within.includes(fragment.name.value)) continue;
        this.#collect(fragment.selectionSet, fields, [...within, fragment.name.value]);
      }
    }
  }

  #checkIntrospection(field: FieldNode, { introspection }: Level): void {
    if (INTROSPECTION.has(field.name.value) && !this.#isSignedIn) {
      throw new Refusal({
        message: 'Introspection is for people who are signed in. Sign in first.',
        needsSession: true,
      });
    }
    if (!introspection) return;
    if (field.alias && field.alias.value !== field.name.value) {
      refuse('Introspection takes no aliases. Ask for its fields by their own names.');
    }
    if (introspection.isInTypeList && TYPE_LISTS.has(field.name.value)) {
      refuse(
        `Introspection cannot ask for ${field.name.value} within another list of a type. Ask for the type by __type.`,
      );
    }
  }

  /** Nodes of a selection without what is selected in it, or of a variable's definition. */
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

/** Each of them is as large as the schema. */
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

/** Goes without recursion: what nests as deeply as it has tokens would take as much of the stack. */
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
