import { Args, ArgsType, Ctx, ID, Int, Query, Resolver } from 'type-graphql';
import { type EncodedFile, QR_DEFAULTS, type QrInput, qrOfLink } from '../../src/links/qrService.ts';
import { FileType } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { QR_FORMATS, QR_LEVELS } from '../enums.ts';
import { type Rule, RuleField } from '../rules.ts';

const COLOUR_RULE: Rule = {
  pattern: '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$',
  'x-message': 'Must be a colour of 3, 6 or 8 hex digits, such as 1a2b3c.',
};

@ArgsType()
class QrArgs implements QrInput {
  @RuleField(() => ID, { description: 'The id of the link, or `ext_` and your own id.' }) declare id: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The format of the image.',
    rule: { enum: QR_FORMATS, default: QR_DEFAULTS.format },
  })
  declare format?: 'svg' | 'png';
  @RuleField(() => Int, {
    nullable: true,
    description: 'Pixels of each side. The modules of a PNG are whole pixels; left-over pixels widen the margin.',
    rule: { minimum: 64, maximum: 2048, default: QR_DEFAULTS.size },
  })
  declare size?: number;
  @RuleField(() => Int, {
    nullable: true,
    description: 'Width of the quiet zone on each side, in modules; the standard requires 4.',
    rule: { minimum: 0, maximum: 20, default: QR_DEFAULTS.margin },
  })
  declare margin?: number;
  @RuleField(() => String, {
    nullable: true,
    description: 'Error correction: about 7 % (L), 15 % (M), 25 % (Q) or 30 % (H) may be covered.',
    rule: { enum: QR_LEVELS, default: QR_DEFAULTS.level },
  })
  declare level?: 'L' | 'M' | 'Q' | 'H';
  @RuleField(() => String, {
    nullable: true,
    description: '3, 6 or 8 hex digits, with or without `#`. Must be clearly darker than the background.',
    rule: { ...COLOUR_RULE, default: QR_DEFAULTS.foreground },
  })
  declare foreground?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'As `foreground`; `ffffff00` is transparent and taken as printed on white.',
    rule: { ...COLOUR_RULE, default: QR_DEFAULTS.background },
  })
  declare background?: string;
}

@Resolver()
export class QrResolver {
  @Query(() => FileType, { description: 'The QR code of the short URL of a link, as SVG or PNG.' })
  linkQr(@Args(() => QrArgs) { id, ...input }: QrArgs, @Ctx() { principal }: Context): Promise<EncodedFile> {
    return qrOfLink(principal, id, input);
  }
}
