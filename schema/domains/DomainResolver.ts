import { domainToUnicode } from 'node:url';
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import {
  createDomain,
  deleteDomain,
  findDomain,
  listDomains,
  nameInZone,
  updateDomain,
  verificationOf,
  verifyDomain,
} from '../../src/domains/domainService.ts';
import type { Domain, VerificationRecord } from '../../src/models/Domain.ts';
import { PageArgs, pageOf, SafeInt, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { DryRun } from '../dryRun.ts';
import { DOMAIN_KINDS, DOMAIN_STATUSES, RECORD_PURPOSES, RECORD_TYPES } from '../enums.ts';
import { MANAGED_BY_FILTER, MANAGED_BY_RULE, MANAGED_BY_TEXT } from '../ownership.ts';
import { type Rule, RuleField } from '../rules.ts';

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
    description: 'What the last check found there; null before the first check, or if no name server answered.',
  })
  declare found: string[] | null;
  @Field(() => Boolean, { description: 'Whether the last look found it as it must be.' }) declare isSet: boolean;
}

@Resolver(() => DomainRecordType)
export class DomainRecordResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The name without its zone, as most DNS providers ask for it; @ for the zone itself, null for a file.',
  })
  nameInZone(@Root() record: VerificationRecord): string | null {
    return nameInZone(record);
  }
}

@ObjectType('Domain', { description: 'A host name of a project.' })
class DomainType {
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
  @Field(() => Time, { nullable: true, description: 'When the domain was first verified; null before.' })
  declare verifiedAt: Date | null;
  @Field(() => String, { nullable: true, description: 'Where / of a link domain leads; null: a page.' })
  declare rootDestination: string | null;
  @Field(() => String, { nullable: true, description: 'Where unknown slugs of a link domain lead; null: a page.' })
  declare notFoundDestination: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where links of the domain lead that are over and say nothing else; null: a page.',
  })
  declare expiredDestination: string | null;
  @Field(() => String, { nullable: true, description: MANAGED_BY_TEXT }) declare managedBy: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

const DomainPageType = pageOf('Domain', DomainType);

const URL_RULE: Rule = { format: 'uri', maxLength: 8192 };

@InputType({ description: 'Where a link domain leads visitors for whom there is no link.' })
class DomainFields {
  @RuleField(() => String, {
    nullable: true,
    description: 'Where / of a link domain leads; null: a page.',
    rule: URL_RULE,
  })
  declare rootDestination?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Where unknown slugs of a link domain lead; null: a page.',
    rule: URL_RULE,
  })
  declare notFoundDestination?: string | null;
  @RuleField(() => String, {
    nullable: true,
    description: 'Where expired links of the domain lead that have no destination of their own for that; null: a page.',
    rule: URL_RULE,
  })
  declare expiredDestination?: string | null;
  @RuleField(() => String, { nullable: true, description: MANAGED_BY_TEXT, rule: MANAGED_BY_RULE })
  declare managedBy?: string | null;
}

@InputType({ description: 'A new domain.' })
class CreateDomainInput extends DomainFields {
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

@InputType({ description: 'Changes to a domain.' })
class UpdateDomainInput extends DomainFields {}

@ArgsType()
class DomainsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, { nullable: true, description: 'Only domains of this kind.', rule: { enum: DOMAIN_KINDS } })
  declare kind?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only domains with this status.',
    rule: { enum: DOMAIN_STATUSES },
  })
  declare status?: string;
  @RuleField(() => String, { nullable: true, description: MANAGED_BY_FILTER, rule: MANAGED_BY_RULE })
  declare managedBy?: string;
}

@Resolver(() => DomainType)
export class DomainResolver {
  @Query(() => DomainPageType, { description: 'Domains of a project, newest first.' })
  domains(@Args(() => DomainsArgs) args: DomainsArgs, @Ctx() { principal }: Context): Promise<Page<Domain>> {
    return listDomains(principal, args);
  }

  @Query(() => DomainType, { description: 'One domain.' })
  domain(
    @Arg('id', () => ID, { description: 'The id of the domain.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Domain> {
    return findDomain(principal, id);
  }

  @DryRun({ unlessBad: ['hostname'] })
  @Mutation(() => DomainType, {
    description: 'Adds a domain to a project; it works once its records are set and verified.',
  })
  createDomain(
    @Arg('input', () => CreateDomainInput, { description: 'The new domain.' }) input: CreateDomainInput,
    @Ctx() { principal }: Context,
  ): Promise<Domain> {
    return createDomain(principal, input);
  }

  @Mutation(() => DomainType, { description: 'Replaces the fields that are sent; null clears one.' })
  updateDomain(
    @Arg('id', () => ID, { description: 'The id of the domain.' }) id: string,
    @Arg('input', () => UpdateDomainInput, { description: 'The changes.' }) input: UpdateDomainInput,
    @Ctx() { principal }: Context,
  ): Promise<Domain> {
    return updateDomain(principal, id, input);
  }

  @Mutation(() => Boolean, { description: 'Refused while the domain has links.' })
  async deleteDomain(
    @Arg('id', () => ID, { description: 'The id of the domain.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<boolean> {
    await deleteDomain(principal, id);
    return true;
  }

  @Mutation(() => DomainType, { description: 'Checks the records now and returns the domain.' })
  verifyDomain(
    @Arg('id', () => ID, { description: 'The id of the domain.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Domain> {
    return verifyDomain(principal, id);
  }

  @FieldResolver(() => String, { description: 'The host name in the letters of its language.' })
  unicodeHostname(@Root() { hostname }: Domain): string {
    return domainToUnicode(hostname) || hostname;
  }

  @FieldResolver()
  verification(@Root() domain: Domain): DomainType['verification'] {
    return verificationOf(domain);
  }

  @FieldResolver(() => SafeInt, {
    description: 'How many links of the project are on the domain, archived ones included.',
  })
  linkCount(@Root() { id }: Domain, @Ctx() { loaders }: Context): Promise<number> {
    return loaders.linksOnDomain.load(id);
  }
}
