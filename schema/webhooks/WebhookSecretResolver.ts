import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { readSecret, type WebhookWithSecret } from '../../src/services/webhooks/readSecret.ts';
import { rotateSecret } from '../../src/services/webhooks/rotateSecret.ts';
import type { Context } from '../context.ts';
import { RotateSecretInput } from './webhookInputs.ts';
import { CreatedWebhookType } from './webhookTypes.ts';

@Resolver()
export class WebhookSecretResolver {
  @Query(() => CreatedWebhookType, { description: 'A webhook with the secret that signs first.' })
  webhookSecret(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<WebhookWithSecret> {
    return readSecret(principal, id);
  }

  @Mutation(() => CreatedWebhookType, { description: 'A new secret; the one before signs beside it for a while.' })
  rotateWebhookSecret(
    @Arg('id', () => ID) id: string,
    @Arg('input', () => RotateSecretInput) input: RotateSecretInput,
    @Ctx() { principal }: Context,
  ): Promise<WebhookWithSecret> {
    return rotateSecret(principal, id, input);
  }
}
