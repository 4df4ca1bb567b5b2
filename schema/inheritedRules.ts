import { type GraphQLSchema, isInputObjectType, isObjectType } from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { declaredRule } from './rules.ts';

/**
 * type-graphql 2.0.0-rc.4 drops the extensions of fields that a type inherits from its parent class, and our rules with
 * them. This puts them back, as the parents declared them.
 */
export function restoreInheritedRules(schema: GraphQLSchema): void {
  const { inputTypes, objectTypes } = getMetadataStorage();
  for (const { target, name } of [...inputTypes, ...objectTypes]) {
    const type = schema.getType(name);
    if (!isInputObjectType(type) && !isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const rule = declaredRule(target.prototype, field.name);
      if (rule) field.extensions = { ...field.extensions, rule };
    }
  }
}
