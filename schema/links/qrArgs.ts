import { ArgsType, ID, Int } from 'type-graphql';
import { DEFAULTS, type QrInput } from '../../src/services/links/qrOfLink.ts';
import { type Rule, RuleField } from '../rules.ts';

const COLOUR_RULE: Rule = {
  pattern: '^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$',
  'x-message': 'Must be a colour of 3, 6 or 8 hex digits, such as 1a2b3c.',
};

@ArgsType()
export class QrArgs implements QrInput {
  @RuleField(() => ID) declare id: string;
  @RuleField(() => String, { nullable: true, rule: { enum: ['svg', 'png'], default: DEFAULTS.format } })
  declare format?: 'svg' | 'png';
  @RuleField(() => Int, {
    nullable: true,
    description: 'Pixels of each side. The modules of a PNG are whole pixels; what is left over widens the margin.',
    rule: { minimum: 64, maximum: 2048, default: DEFAULTS.size },
  })
  declare size?: number;
  @RuleField(() => Int, {
    nullable: true,
    description: 'Modules of quiet zone on each side; the standard asks for 4.',
    rule: { minimum: 0, maximum: 20, default: DEFAULTS.margin },
  })
  declare margin?: number;
  @RuleField(() => String, {
    nullable: true,
    description: 'Error correction: about 7 % (L), 15 % (M), 25 % (Q) or 30 % (H) may be covered.',
    rule: { enum: ['L', 'M', 'Q', 'H'], default: DEFAULTS.level },
  })
  declare level?: 'L' | 'M' | 'Q' | 'H';
  @RuleField(() => String, {
    nullable: true,
    description: '3, 6 or 8 hex digits, with or without `#`. Must be clearly darker than the background.',
    rule: { ...COLOUR_RULE, default: DEFAULTS.foreground },
  })
  declare foreground?: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'As `foreground`; `ffffff00` is transparent, and judged as if it were printed on white.',
    rule: { ...COLOUR_RULE, default: DEFAULTS.background },
  })
  declare background?: string;
}
