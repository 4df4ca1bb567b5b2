import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import { IMPORT_FORMATS } from '../../src/imports/formats.ts';
import { RuleField } from '../rules.ts';
import { Time } from '../scalars.ts';
import { IMPORT_STATUSES, ON_CONFLICT } from '../words.ts';

@ObjectType('ImportCounts')
export class ImportCountsType {
  @Field(() => Int, {
    description:
      'Rows of the file below its header; empty ones do not count, and in the end one that is several links counts for each.',
  })
  declare rows: number;
  @Field(() => Int) declare created: number;
  @Field(() => Int) declare updated: number;
  @Field(() => Int, { description: 'Links that were there already, or in which nothing is different.' })
  declare skipped: number;
  @Field(() => Int) declare failed: number;
}

@ObjectType('Import', { description: 'A CSV file that is made into links by a job.' })
export class ImportType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @RuleField(() => String, { rule: { enum: IMPORT_FORMATS } }) declare sourceFormat: string;
  @RuleField(() => String, {
    description: 'pending, running, finished, failed or cancelled.',
    rule: { enum: IMPORT_STATUSES },
  })
  declare status: string;
  @Field(() => Boolean, { description: 'Nothing is written; the counts say what would be.' }) declare dryRun: boolean;
  @RuleField(() => String, {
    description: 'What is done with links that are there already: skip, update or fail.',
    rule: { enum: ON_CONFLICT },
  })
  declare onConflict: string;
  @Field(() => ID, { description: 'Shared by the links that it made.' }) declare batchId: string;
  @Field(() => ImportCountsType) declare counts: ImportCountsType;
  @Field(() => Float, { description: 'From 0 to 1.' }) declare progress: number;
  @Field(() => [String], { description: 'Columns of the file that nothing was taken from.' })
  declare unknownColumns: string[];
  @Field(() => String, { nullable: true, description: 'Why it failed as a whole, or what it waits for.' })
  declare message: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
  @Field(() => Time, { nullable: true }) declare finishedAt: Date | null;
}

@ObjectType('ImportPage')
export class ImportPageType {
  @Field(() => [ImportType]) declare data: ImportType[];
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ObjectType('CsvPage', { description: 'A part of a CSV file; the first one has the header.' })
export class CsvPageType {
  @Field(() => String) declare csv: string;
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}
