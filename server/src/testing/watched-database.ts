import type { CompiledQuery, Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** The same database, with a record of every statement sent to it from now on. */
export function watchedDatabase(db: Kysely<Schema>): { db: Kysely<Schema>; statements: CompiledQuery[] } {
  const statements: CompiledQuery[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      statements.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  // Statements compiled earlier bypass plugins, so they are recorded here.
  watched.executeQuery = (query) => {
    statements.push(query as CompiledQuery);
    return db.executeQuery(query as CompiledQuery<never>);
  };
  return { db: watched, statements };
}
