import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Float,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { Page } from '../../src/db/paging.ts';
import {
  type CsvPage,
  cancelImport,
  type ExportFormat,
  exportLinks,
  findImport,
  type ImportInput,
  importErrors,
  importRows,
  importRowsCsv,
  listImports,
  type Outcome,
  type ReportLine,
  sourceOf,
  startImport,
} from '../../src/imports/importService.ts';
import type { Import, ImportFormat, OnConflict } from '../../src/models/Import.ts';
import { PageArgs, pageOf, Time } from '../commonTypes.ts';
import type { Context } from '../context.ts';
import { EXPORT_FORMATS, IMPORT_FORMATS, IMPORT_OUTCOMES, IMPORT_STATUSES, ON_CONFLICT } from '../enums.ts';
import { LinkFilterArgs } from '../links/linkArgs.ts';
import { RuleField } from '../rules.ts';

@ObjectType('ImportCounts', { description: 'What became of the rows of a file.' })
class ImportCountsType {
  @Field(() => Int, {
    description:
      'Rows of the file below its header without empty ones. When the import has finished, a row with several links counts for each.',
  })
  declare rows: number;
  @Field(() => Int, { description: 'Links that were created.' }) declare created: number;
  @Field(() => Int, { description: 'Links that were changed.' }) declare updated: number;
  @Field(() => Int, { description: 'Links that existed already, or were already as in the file.' })
  declare skipped: number;
  @Field(() => Int, { description: 'Rows that failed; see importErrors.' }) declare failed: number;
}

@ObjectType('Import', { description: 'A CSV file that a job imports.' })
class ImportType {
  @Field(() => ID) declare id: string;
  @Field(() => ID) declare projectId: string;
  @RuleField(() => String, {
    description: 'The program that wrote the file; svc is our own export.',
    rule: { enum: IMPORT_FORMATS },
  })
  declare sourceFormat: string;
  @RuleField(() => String, {
    description: 'pending, running, finished, failed or cancelled.',
    rule: { enum: IMPORT_STATUSES },
  })
  declare status: string;
  @Field(() => Boolean, { description: 'No link is written; the counts show what would happen.' })
  declare dryRun: boolean;
  @RuleField(() => String, {
    description: 'What happens to links that exist already: skip, update or fail.',
    rule: { enum: ON_CONFLICT },
  })
  declare onConflict: string;
  @Field(() => ID, { description: 'Shared by the links that it created.' }) declare batchId: string;
  @Field(() => ImportCountsType, { description: 'What became of its rows until now.' })
  declare counts: ImportCountsType;
  @Field(() => Float, { description: 'From 0 to 1.' }) declare progress: number;
  @Field(() => [String], { description: 'Columns of the file that are not imported.' })
  declare unknownColumns: string[];
  @Field(() => String, { nullable: true, description: 'Why the import as a whole failed, or what it waits for.' })
  declare message: string | null;
  @Field(() => Time) declare createdAt: Date;
  @Field(() => Time) declare updatedAt: Date;
  @Field(() => Time, { nullable: true, description: 'When it ended, in whatever way; null before.' })
  declare finishedAt: Date | null;
}

const ImportPageType = pageOf('Import', ImportType);

@ObjectType('CsvPage', { description: 'A part of a CSV file; the first one has the header.' })
class CsvPageType {
  @Field(() => String, { description: 'Lines in UTF-8: CSV, or JSON where the format is ndjson.' }) declare csv: string;
  @Field(() => String, { nullable: true }) declare nextCursor: string | null;
}

@ArgsType()
class StartImportArgs implements ImportInput {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Where the file comes from; svc is our own export.',
    rule: { enum: IMPORT_FORMATS, default: 'svc' },
  })
  declare format?: ImportFormat;
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'Reports what would happen to each row, and writes no link.',
    rule: { default: false },
  })
  declare dryRun?: boolean;
  @RuleField(() => String, {
    nullable: true,
    description: 'What happens to links that exist already.',
    rule: { enum: ON_CONFLICT, default: 'skip' },
  })
  declare onConflict?: OnConflict;
  @RuleField(() => String, { nullable: true, description: 'The file; over REST it is the body.' })
  declare csv?: string | null;
}

@ArgsType()
class ImportsArgs extends PageArgs {
  @RuleField(() => ID, { rule: { implied: 'project' } }) declare projectId: string;
}

@ArgsType()
class ReportArgs {
  @RuleField(() => ID, { description: 'The id of the import.' }) declare id: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'The nextCursor of the previous part; unset: the first one.',
  })
  declare cursor?: string | null;
}

@ArgsType()
class RowsCsvArgs extends ReportArgs {
  @RuleField(() => String, {
    nullable: true,
    description: 'Only rows with this outcome.',
    rule: { enum: IMPORT_OUTCOMES },
  })
  declare outcome?: Outcome | null;
}

@ArgsType()
class RowsArgs extends PageArgs {
  @RuleField(() => ID, { description: 'The id of the import.' }) declare id: string;
  @RuleField(() => String, {
    nullable: true,
    description: 'Only rows with this outcome.',
    rule: { enum: IMPORT_OUTCOMES },
  })
  declare outcome?: Outcome | null;
}

@ObjectType('ImportRow', {
  description: 'What became of a row of a file, or one of several problems or links of a row.',
})
class ImportRowType {
  @Field(() => Int, { description: 'The line of the file where the row begins; the header is line 1.' })
  declare row: number;
  @RuleField(() => String, { description: 'What became of it.', rule: { enum: IMPORT_OUTCOMES } })
  declare outcome: string;
  @Field(() => String, { nullable: true, description: 'The column as the file spells it; null: the row as a whole.' })
  declare column: string | null;
  @Field(() => String, { nullable: true, description: 'What is wrong, or what was not taken over.' })
  declare message: string | null;
  @Field(() => ID, { nullable: true, description: 'The link that the row made, changed or met.' })
  declare linkId: string | null;
}

const ImportRowPageType = pageOf('ImportRow', ImportRowType);

@ArgsType()
class ExportArgs extends LinkFilterArgs {
  @RuleField(() => [ID], {
    nullable: true,
    description: 'Only the links with these ids.',
    rule: { minItems: 1, maxItems: 1000, uniqueItems: true, items: { minLength: 1, maxLength: 40 } },
  })
  declare ids?: string[];
  @RuleField(() => Boolean, {
    nullable: true,
    description: 'Cells that a spreadsheet program would run as formulas get a single quote in front.',
  })
  declare spreadsheet?: boolean;
  @RuleField(() => String, {
    nullable: true,
    description: 'csv, which can be imported again, or ndjson: a link as REST shows it on each line.',
    rule: { enum: EXPORT_FORMATS, default: 'csv' },
  })
  declare format?: ExportFormat;
}

@Resolver(() => ImportType)
export class ImportResolver {
  @Query(() => ImportPageType, { description: 'Imports of a project, newest first.' })
  imports(
    @Args(() => ImportsArgs) { projectId, ...request }: ImportsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Import>> {
    return listImports(principal, projectId, request);
  }

  @Query(() => ImportType, { description: 'One import with its progress.' })
  import(
    @Arg('id', () => ID, { description: 'The id of the import.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Import> {
    return findImport(principal, id);
  }

  @Query(() => CsvPageType, { description: 'The problems of failed rows: row, column, message.' })
  importErrors(@Args(() => ReportArgs) { id, cursor }: ReportArgs, @Ctx() { principal }: Context): Promise<CsvPage> {
    return importErrors(principal, id, cursor);
  }

  @Query(() => ImportRowPageType, { description: 'What became of the rows of a file, in its order.' })
  async importRows(
    @Args(() => RowsArgs) { id, ...request }: RowsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<ImportRowType>> {
    const { data, nextCursor } = await importRows(principal, id, request);
    return { data: data.map(presentRow), nextCursor };
  }

  @Query(() => CsvPageType, { description: 'The outcome of every row as CSV: row, outcome, column, message.' })
  importRowsCsv(
    @Args(() => RowsCsvArgs) { id, ...request }: RowsCsvArgs,
    @Ctx() { principal }: Context,
  ): Promise<CsvPage> {
    return importRowsCsv(principal, id, request);
  }

  @Query(() => CsvPageType, { description: 'Links as CSV or as lines of JSON, oldest first.' })
  exportLinks(
    @Args(() => ExportArgs) { projectId, ...filter }: ExportArgs,
    @Arg('cursor', () => String, {
      nullable: true,
      description: 'The nextCursor of the previous part; unset: the first one.',
    })
    cursor: string | undefined,
    @Ctx() { principal }: Context,
  ): Promise<CsvPage> {
    return exportLinks(principal, projectId, { ...filter, cursor });
  }

  @Mutation(() => ImportType, { description: 'Stores a CSV file, which a job imports.' })
  startImport(
    @Args(() => StartImportArgs) { csv, ...input }: StartImportArgs,
    @Ctx() { principal, upload }: Context,
  ): Promise<Import> {
    return startImport(principal, input, sourceOf(upload, csv));
  }

  @Mutation(() => ImportType, { description: 'Stops an import; the links that it has created stay.' })
  cancelImport(
    @Arg('id', () => ID, { description: 'The id of the import.' }) id: string,
    @Ctx() { principal }: Context,
  ): Promise<Import> {
    return cancelImport(principal, id);
  }

  @FieldResolver(() => ImportCountsType)
  counts(@Root() { rows, created, updated, skipped, failed }: Import): ImportCountsType {
    return { rows, created, updated, skipped, failed };
  }

  @FieldResolver(() => Float)
  progress(@Root() { status, position, rows }: Import): number {
    return status === 'finished' ? 1 : Math.min(position / Math.max(rows, 1), 1);
  }
}

function presentRow({ line, outcome, field, message, linkId }: ReportLine): ImportRowType {
  return { row: line, outcome, column: field || null, message: message || null, linkId };
}
