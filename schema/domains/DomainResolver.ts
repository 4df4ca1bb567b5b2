import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { verificationOf } from '../../src/domains/verificationOf.ts';
import type { Domain } from '../../src/models/Domain.ts';
import { createDomain } from '../../src/services/domains/createDomain.ts';
import { deleteDomain } from '../../src/services/domains/deleteDomain.ts';
import { findDomain } from '../../src/services/domains/findDomain.ts';
import { listDomains } from '../../src/services/domains/listDomains.ts';
import { updateDomain } from '../../src/services/domains/updateDomain.ts';
import { verifyDomain } from '../../src/services/domains/verifyDomain.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { CreateDomainInput, DomainPageType, DomainsArgs, DomainType, UpdateDomainInput } from './domainTypes.ts';

@Resolver(() => DomainType)
export class DomainResolver {
  @Query(() => DomainPageType, { description: 'Domains of a project, newest first.' })
  domains(@Args(() => DomainsArgs) args: DomainsArgs, @Ctx() { principal }: Context): Promise<Page<Domain>> {
    return listDomains(principal, args);
  }

  @Query(() => DomainType)
  domain(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Domain> {
    return findDomain(principal, id);
  }

  @Mutation(() => DomainType)
  createDomain(
    @Arg('input', () => CreateDomainInput) input: CreateDomainInput,
    @Ctx() { principal }: Context,
  ): Promise<Domain> {
    return createDomain(principal, input);
  }

  @Mutation(() => DomainType, { description: 'Replaces the fields that are sent; null clears one.' })
  updateDomain(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => UpdateDomainInput) input: UpdateDomainInput,
    @Ctx() { principal }: Context,
  ): Promise<Domain> {
    return updateDomain(principal, id, input);
  }

  @Mutation(() => Boolean, { description: 'Refused while the domain has links.' })
  async deleteDomain(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<boolean> {
    await deleteDomain(principal, id);
    return true;
  }

  @Mutation(() => DomainType, { description: 'Looks at the records now, and gives what became of the domain.' })
  verifyDomain(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Domain> {
    return verifyDomain(principal, id);
  }

  @FieldResolver()
  verification(@Root() domain: Domain): DomainType['verification'] {
    return verificationOf(domain);
  }
}
