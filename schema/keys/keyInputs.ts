import { ArgsType, ID, InputType, Int } from 'type-graphql';
import { SCOPES } from '../../src/access/scopes.ts';
import { PageArgs } from '../PageArgs.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { KEY_KINDS } from '../words.ts';

@InputType()
export class CreateKeyInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { rule: { minLength: 1, maxLength: 100 } }) declare name: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'secret (the default) for servers, publishable for apps.',
    rule: { enum: KEY_KINDS, notNull: true },
  })
  declare kind?: 'secret' | 'publishable';
  @RuleField(() => [String], {
    nullable: true,
    description: '["*"] and ["*:read"] are written out; unset: every scope. A publishable key has none.',
    rule: { items: { enum: ['*', '*:read', ...SCOPES] }, minItems: 1, uniqueItems: true, notNull: true },
  })
  declare scopes?: string[];
  @RuleField(() => Time, { nullable: true, description: 'In the future; unset: it never expires.' })
  declare expiresAt?: Date | null;
}

@InputType()
export class RollKeyInput {
  @RuleField(() => Int, {
    nullable: true,
    description: 'How long the old key works beside the new one; 0: it ends at once.',
    rule: { minimum: 0, maximum: 86_400, default: 86_400, notNull: true },
  })
  declare expirePreviousSeconds?: number;
}

@ArgsType()
export class KeysArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}
