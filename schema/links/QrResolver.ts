import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { type File, qrOfLink } from '../../src/services/links/qrOfLink.ts';
import type { Context } from '../context.ts';
import { FileType } from '../FileType.ts';
import { QrArgs } from './qrArgs.ts';

@Resolver()
export class QrResolver {
  @Query(() => FileType, { description: 'The QR code of the short URL of a link, as SVG or PNG.' })
  linkQr(@Args(() => QrArgs) { id, ...input }: QrArgs, @Ctx() { principal }: Context): Promise<File> {
    return qrOfLink(principal, id, input);
  }
}
