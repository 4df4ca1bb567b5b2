import { ArgsType, ID } from 'type-graphql';
import type { TracedVisitor } from '../../src/services/links/traceLink.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { COUNTRY_RULE, DEVICES, PLATFORMS } from './routingSchema.ts';

@ArgsType()
export class TraceArgs implements TracedVisitor {
  @RuleField(() => ID) declare id: string;
  @RuleField(() => String, { nullable: true, description: 'Unset: other.', rule: { enum: PLATFORMS } })
  declare platform?: (typeof PLATFORMS)[number];
  @RuleField(() => String, {
    nullable: true,
    description: 'Unset: mobile for ios and android, else desktop.',
    rule: { enum: DEVICES },
  })
  declare device?: (typeof DEVICES)[number];
  @RuleField(() => String, { nullable: true, description: 'Unset: unknown.', rule: COUNTRY_RULE })
  declare country?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The first language that the visitor accepts; unset: unknown.',
    rule: {
      maxLength: 35,
      pattern: '^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$',
      'x-message': 'Must be a language tag such as de or de-AT.',
    },
  })
  declare language?: string;
  @RuleField(() => Time, { nullable: true, description: 'The moment to try; unset: now.' }) declare at?: Date;
  @RuleField(() => String, {
    nullable: true,
    description:
      'What the visitor brings after the `?` of the short URL, such as `v=2&utm_source=x`, encoded once more.',
    rule: { maxLength: 8192 },
  })
  declare query?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Unset: unknown.',
    rule: {
      maxLength: 253,
      pattern: '^[A-Za-z0-9._:\\[\\]-]+$',
      'x-message': 'Must be a host such as t.co, without scheme and path.',
    },
  })
  declare referrerHost?: string;
}
