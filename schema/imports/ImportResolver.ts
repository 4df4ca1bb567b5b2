import { Arg, Args, Ctx, FieldResolver, Float, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { CsvPage } from '../../src/imports/writeCsv.ts';
import type { Import } from '../../src/models/Import.ts';
import { cancelImport } from '../../src/services/imports/cancelImport.ts';
import { exportLinks } from '../../src/services/imports/exportLinks.ts';
import { sourceOf } from '../../src/services/imports/importFile.ts';
import { importErrors, importRows } from '../../src/services/imports/importReport.ts';
import { findImport, listImports } from '../../src/services/imports/listImports.ts';
import { startImport } from '../../src/services/imports/startImport.ts';
import type { Page } from '../../src/services/paging.ts';
import type { Context } from '../context.ts';
import { CsvPageType, ImportCountsType, ImportPageType, ImportType } from './ImportType.ts';
import { ExportArgs, ImportsArgs, ReportArgs, StartImportArgs } from './importInputs.ts';

@Resolver(() => ImportType)
export class ImportResolver {
  @Query(() => ImportPageType, { description: 'Imports of a project, newest first.' })
  imports(
    @Args(() => ImportsArgs) { projectId, ...request }: ImportsArgs,
    @Ctx() { principal }: Context,
  ): Promise<Page<Import>> {
    return listImports(principal, projectId, request);
  }

  @Query(() => ImportType)
  import(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Import> {
    return findImport(principal, id);
  }

  @Query(() => CsvPageType, { description: 'What is wrong with the rows that failed: row, column, message.' })
  importErrors(@Args(() => ReportArgs) { id, cursor }: ReportArgs, @Ctx() { principal }: Context): Promise<CsvPage> {
    return importErrors(principal, id, cursor);
  }

  @Query(() => CsvPageType, { description: 'What became of every row: row, outcome, column, message.' })
  importRows(@Args(() => ReportArgs) { id, cursor }: ReportArgs, @Ctx() { principal }: Context): Promise<CsvPage> {
    return importRows(principal, id, cursor);
  }

  @Query(() => CsvPageType, { description: 'Links as CSV, oldest first.' })
  exportLinks(
    @Args(() => ExportArgs) { projectId, ...filter }: ExportArgs,
    @Arg('cursor', () => String, { nullable: true }) cursor: string | undefined,
    @Ctx() { principal }: Context,
  ): Promise<CsvPage> {
    return exportLinks(principal, projectId, { ...filter, cursor });
  }

  @Mutation(() => ImportType, { description: 'Takes a CSV file, to be imported by a job.' })
  startImport(
    @Args(() => StartImportArgs) { csv, ...input }: StartImportArgs,
    @Ctx() { principal, upload }: Context,
  ): Promise<Import> {
    return startImport(principal, input, sourceOf(upload, csv));
  }

  @Mutation(() => ImportType, { description: 'Stops an import; what has landed stays.' })
  cancelImport(@Arg('id', () => ID) id: string, @Ctx() { principal }: Context): Promise<Import> {
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
