import { ArgsType, Field, ID, InputType, ObjectType } from 'type-graphql';
import { DOMAIN_KINDS, DOMAIN_STATUSES } from '../../src/services/domains/listDomains.ts';
import { PageArgs } from '../PageArgs.ts';
import { type Rule, RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { RECORD_PURPOSES, RECORD_TYPES } from '../words.ts';

const KIND = 'link: short links are followed on it; web: pages on it open apps.';

@ObjectType('DomainRecord', { description: 'A DNS record to set, or a file to serve.' })
class DomainRecordType {
  @Field(() => String, { description: 'Of the record; of a file its URL.' }) declare name: string;
  @RuleField(() => String, { description: `${RECORD_TYPES.join(', ')}.`, rule: { enum: RECORD_TYPES } })
  declare type: string;
  @Field(() => String, { description: 'Of the record; of a file all of its text.' }) declare value: string;
  @RuleField(() => String, {
    description: 'ownership: says whose the name is; routing: leads visitors here.',
    rule: { enum: RECORD_PURPOSES },
  })
  declare purpose: string;
  @Field(() => String, { description: 'What to paste where, for people to read.' }) declare about: string;
  @Field(() => [String], {
    nullable: true,
    description: 'What the last look found there; null: nobody has looked yet, or no name server answered.',
  })
  declare found: string[] | null;
  @Field(() => Boolean, { description: 'Whether the last look found it as it must be.' }) declare isSet: boolean;
}

@ObjectType('Domain', { description: 'A host name of a project.' })
export class DomainType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String, { description: 'Lower case, punycode.' }) declare hostname: string;
  @RuleField(() => String, { description: KIND, rule: { enum: DOMAIN_KINDS } }) declare kind: string;
  @RuleField(() => String, {
    description: 'pending: never verified; verified; failing: was verified and is no more, but still served.',
    rule: { enum: DOMAIN_STATUSES },
  })
  declare status: string;
  @Field(() => [DomainRecordType], {
    description: 'What to set: one ownership record is enough; a link domain also needs its routing.',
  })
  declare verification: DomainRecordType[];
  @Field(() => String, { nullable: true, description: 'What the last look found and what to do; null: all is well.' })
  declare problem: string | null;
  @Field(() => Time, { nullable: true, description: 'Of the last look.' }) declare checkedAt: Date | null;
  @Field(() => Time, { nullable: true }) declare verifiedAt: Date | null;
  @Field(() => String, { nullable: true, description: 'Where / of a link domain leads; null: a page.' })
  declare rootDestination: string | null;
  @Field(() => String, { nullable: true, description: 'Where unknown slugs of a link domain lead; null: a page.' })
  declare notFoundDestination: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where links of the domain lead that are over and say nothing else; null: a page.',
  })
  declare expiredDestination: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('DomainPage')
export class DomainPageType {
  @Field(() => [DomainType]) declare data: DomainType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

const URL_RULE: Rule = { format: 'uri', maxLength: 8192 };

@InputType()
class DomainFields {
  @RuleField(() => String, { nullable: true, rule: URL_RULE }) declare rootDestination?: string | null;
  @RuleField(() => String, { nullable: true, rule: URL_RULE }) declare notFoundDestination?: string | null;
  @RuleField(() => String, { nullable: true, rule: URL_RULE }) declare expiredDestination?: string | null;
}

@InputType()
export class CreateDomainInput extends DomainFields {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    description: 'Such as go.example.com; also with letters beyond ASCII.',
    rule: { minLength: 1, maxLength: 1000 },
  })
  declare hostname: string;
  @RuleField(() => String, {
    nullable: true,
    description: KIND,
    rule: { enum: DOMAIN_KINDS, notNull: true, default: 'link' },
  })
  declare kind?: 'link' | 'web';
}

@InputType()
export class UpdateDomainInput extends DomainFields {}

@ArgsType()
export class DomainsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { nullable: true, rule: { enum: DOMAIN_KINDS } }) declare kind?: string;
  @RuleField(() => String, { nullable: true, rule: { enum: DOMAIN_STATUSES } }) declare status?: string;
}
