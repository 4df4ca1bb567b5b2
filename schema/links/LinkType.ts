import { Field, ID, Int, ObjectType } from 'type-graphql';
import { JsonObject, pageOf, SafeInt, Time } from '../commonTypes.ts';
import { LINK_STATUSES } from '../enums.ts';
import { MANAGED_BY_TEXT } from '../ownership.ts';
import { RuleField } from '../rules.ts';
import { ROUTING_SCHEMA } from './routingSchema.ts';
import { RoutingType } from './routingTypes.ts';

/** Said of the limit wherever it stands. */
export const CLICK_LIMIT_TEXT =
  'Clicks of people after which the link is expired; bots and scanners use up none. Exact where one process answers redirects; among several, people who follow it at the others within some three seconds come on top.';

@ObjectType('Utm', { description: 'Campaign parameters that are added to the destination.' })
export class UtmType {
  @Field(() => String, { nullable: true, description: 'utm_source: where visitors come from, such as newsletter.' })
  declare source: string | null;
  @Field(() => String, { nullable: true, description: 'utm_medium: the kind of channel, such as email.' })
  declare medium: string | null;
  @Field(() => String, { nullable: true, description: 'utm_campaign: the name of the campaign.' }) declare campaign:
    | string
    | null;
  @Field(() => String, { nullable: true, description: 'utm_term: the paid keyword.' }) declare term: string | null;
  @Field(() => String, { nullable: true, description: 'utm_content: which of several links or ads it is.' })
  declare content: string | null;
}

/** Stored as it is on the wire. */
@ObjectType('Preview', { description: 'What social networks show for the link.' })
export class PreviewType {
  @Field(() => String, {
    nullable: true,
    description: 'The headline, which visitors see in previews too; null: the host of the destination.',
  })
  declare title: string | null;
  @Field(() => String, { nullable: true, description: 'The text below the headline; null: that of the destination.' })
  declare description: string | null;
  @Field(() => String, { nullable: true, name: 'imageUrl', description: 'The image; null: that of the destination.' })
  declare image_url: string | null;
}

@ObjectType('Link', { description: 'A short link.' })
export class LinkType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @Field(() => String, { description: 'Host of the short URL, with a port that is not the default one.' })
  declare domain: string;
  @Field(() => String, { description: 'The path of the short URL, without the slash in front.' }) declare slug: string;
  @Field(() => String, { description: 'The URL to share.' }) declare shortUrl: string;
  @Field(() => String, { description: 'Where visitors go whom no rule sends elsewhere.' }) declare destination: string;
  @RuleField(() => JsonObject, {
    nullable: true,
    description: 'Rules and split that choose another destination.',
    rule: { schema: ROUTING_SCHEMA },
  })
  declare routingJson: Record<string, unknown> | null;
  @Field(() => RoutingType, {
    nullable: true,
    description: 'Rules and split that choose another destination; null: none.',
  })
  declare routing: RoutingType | null;
  @Field(() => JsonObject, { description: 'Free-form payload for the app.' }) declare data: Record<string, unknown>;
  @Field(() => String, { nullable: true, description: 'Your own id, unique in the project.' }) declare externalId:
    | string
    | null;
  @Field(() => String, { nullable: true, description: MANAGED_BY_TEXT }) declare managedBy: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'A name for your team; visitors never see it, only preview.title.',
  })
  declare title: string | null;
  @Field(() => String, { nullable: true, description: 'Notes for your team; never shown to visitors.' }) declare notes:
    | string
    | null;
  @Field(() => UtmType, { nullable: true, description: 'Campaign parameters; null: none are added.' })
  declare utm: UtmType | null;
  @Field(() => PreviewType, {
    nullable: true,
    description: 'What social networks show; null: what the destination says.',
  })
  declare preview: PreviewType | null;
  @Field(() => Boolean, { description: 'Whether visitors are asked for a password.' })
  declare passwordProtected: boolean;
  @RuleField(() => String, {
    description: 'flagged, archived, scheduled, expired or active: the first that holds.',
    rule: { enum: LINK_STATUSES },
  })
  declare status: string;
  @Field(() => Time, {
    nullable: true,
    description: 'Before this time the link does not redirect; null: it works at once.',
  })
  declare startsAt: Date | null;
  @Field(() => Time, { nullable: true, description: 'From this time the link is expired; null: never.' })
  declare expiresAt: Date | null;
  @Field(() => String, {
    nullable: true,
    description: 'Where visitors go once the link is expired; null: as the domain says.',
  })
  declare expiredDestination: string | null;
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
  @Field(() => Time, { nullable: true, description: 'When a person last clicked; null if there was no click.' })
  declare lastClickedAt: Date | null;
  @Field(() => String, { nullable: true, description: 'Why the link was flagged as dangerous; null unless it is.' })
  declare flagReason: string | null;
  @Field(() => Time, { nullable: true, description: 'When the link was flagged; null unless it is.' })
  declare flaggedAt: Date | null;
  @Field(() => Time, {
    nullable: true,
    description: 'When a review of the flag was requested; null when none is, or it has been decided.',
  })
  declare reviewRequestedAt: Date | null;
  @Field(() => Time, { nullable: true, description: 'When the link was archived; null unless it is.' })
  declare archivedAt: Date | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
}

export const LinkPageType = pageOf('Link', LinkType);

@ObjectType('UpsertedLink', { description: 'A link that was created or changed.' })
export class UpsertedLinkType {
  @Field(() => Boolean, { description: 'Whether the link is new.' }) declare created: boolean;
  @Field(() => LinkType, { description: 'The link as it is now.' }) declare link: LinkType;
}
