import { type GraphQLSchema, isInputObjectType, isIntrospectionType, isObjectType } from 'graphql';

/** What fields of these names mean in every type that has them, unless the field says more itself. */
const FIELDS: Record<string, string> = {
  id: 'The id, whose prefix names the kind of thing.',
  projectId: 'The project that it belongs to.',
  teamId: 'The team that it belongs to.',
  createdAt: 'When it was created.',
  updatedAt: 'When it was last changed.',
  nextCursor: 'The cursor of the next page; null on the last one.',
};

/** What arguments and input fields of these names mean. */
const ARGUMENTS: Record<string, string> = {
  projectId: 'The id of the project.',
  teamId: 'The id of the team.',
};

const ROOTS: Record<string, string> = {
  Query: 'Everything that can be read.',
  Mutation: 'Everything that can be changed.',
};

interface Described {
  description?: string | null | undefined;
}

/** Adds the shared description of their name to fields and arguments without a description of their own. */
export function describeSharedNames(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) describe(field, ARGUMENTS[field.name]);
    if (!isObjectType(type)) continue;
    describe(type, ROOTS[type.name]);
    const fields = type.getFields();
    for (const field of Object.values(fields)) {
      describe(field, FIELDS[field.name]);
      for (const argument of field.args) describe(argument, ARGUMENTS[argument.name]);
    }
    if (!fields.nextCursor || !fields.data) continue;
    describe(type, 'A page of a list.');
    describe(fields.data, 'The rows of the page.');
  }
}

function describe(what: Described, text: string | undefined): void {
  if (text) what.description ??= text;
}
