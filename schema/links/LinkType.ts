import { Field, ID, Int, ObjectType } from 'type-graphql';
import { RuleField } from '../rules.ts';
import { JsonObject, SafeInt, Time } from '../scalars.ts';
import { LINK_STATUSES } from '../words.ts';
import { ROUTING_SCHEMA } from './routingSchema.ts';

/** Said of the limit wherever it stands. */
export const CLICK_LIMIT_TEXT =
  'Clicks of people after which the link is expired; bots and scanners use up none. Exact where one process answers redirects; among several, people who follow it at the others within some three seconds come on top.';

@ObjectType('Utm', { description: 'Campaign parameters that are added to the destination.' })
export class UtmType {
  @Field(() => String, { nullable: true }) declare source: string | null;
  @Field(() => String, { nullable: true }) declare medium: string | null;
  @Field(() => String, { nullable: true }) declare campaign: string | null;
  @Field(() => String, { nullable: true }) declare term: string | null;
  @Field(() => String, { nullable: true }) declare content: string | null;
}

/** Stored as it is on the wire. */
@ObjectType('Preview', { description: 'What social networks show for the link.' })
export class PreviewType {
  @Field(() => String, { nullable: true }) declare title: string | null;
  @Field(() => String, { nullable: true }) declare description: string | null;
  @Field(() => String, { nullable: true, name: 'imageUrl' }) declare image_url: string | null;
}

@ObjectType('Link', { description: 'A short link.' })
export class LinkType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String, { description: 'Host of the short URL, with a port that is not the default one.' })
  declare domain: string;
  @Field(() => String) declare slug: string;
  @Field(() => String) declare shortUrl: string;
  @Field(() => String) declare destination: string;
  @RuleField(() => JsonObject, {
    nullable: true,
    description: 'Rules and split that choose another destination.',
    rule: { schema: ROUTING_SCHEMA },
  })
  declare routing: Record<string, unknown> | null;
  @Field(() => JsonObject, { description: 'Free-form payload for the app.' }) declare data: Record<string, unknown>;
  @Field(() => String, { nullable: true, description: 'Your own id, unique in the project.' }) declare externalId:
    | string
    | null;
  @Field(() => String, { nullable: true }) declare title: string | null;
  @Field(() => String, { nullable: true }) declare notes: string | null;
  @Field(() => UtmType, { nullable: true }) declare utm: UtmType | null;
  @Field(() => PreviewType, { nullable: true }) declare preview: PreviewType | null;
  @Field(() => Boolean) declare passwordProtected: boolean;
  @RuleField(() => String, {
    description: 'flagged, archived, scheduled, expired or active: the first that holds.',
    rule: { enum: LINK_STATUSES },
  })
  declare status: string;
  @Field(() => Time, { nullable: true }) declare startsAt: Date | null;
  @Field(() => Time, { nullable: true }) declare expiresAt: Date | null;
  @Field(() => String, { nullable: true }) declare expiredDestination: string | null;
  @Field(() => Int, {
    nullable: true,
    description: CLICK_LIMIT_TEXT,
  })
  declare clickLimit: number | null;
  @Field(() => Int, { nullable: true, description: 'Null: as the project says.' }) declare matchWindowSeconds:
    | number
    | null;
  @Field(() => SafeInt, {
    description: 'Clicks of people. With a click limit, openings of apps that were not known before are left out.',
  })
  declare clicks: number;
  @Field(() => Time, { nullable: true }) declare lastClickedAt: Date | null;
  @Field(() => String, { nullable: true }) declare flagReason: string | null;
  @Field(() => Time, { nullable: true }) declare flaggedAt: Date | null;
  @Field(() => Time, { nullable: true }) declare archivedAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

@ObjectType('LinkPage')
export class LinkPageType {
  @Field(() => [LinkType]) declare data: LinkType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('UpsertedLink')
export class UpsertedLinkType {
  @Field(() => Boolean) declare created: boolean;
  @Field(() => LinkType) declare link: LinkType;
}
