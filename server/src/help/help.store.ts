import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type Score = Selectable<Schema['help_scores']>;

/** Vote and sum in one statement: of any number of votes of one visitor at once, one is counted. False for the others. */
export async function insertVote(
  db: Executor,
  vote: { questionId: string; voter: string; liked: boolean; at: Date },
): Promise<boolean> {
  const counted = await sql`
    with fresh as (
      insert into help_votes (question_id, voter, liked, at)
      values (${vote.questionId}, ${vote.voter}, ${vote.liked}, ${vote.at})
      on conflict do nothing
      returning question_id, liked
    )
    insert into help_scores (question_id, likes, votes)
    select question_id, case when liked then 1 else 0 end, 1 from fresh
    on conflict (question_id) do update
    set likes = help_scores.likes + excluded.likes, votes = help_scores.votes + 1
    returning question_id`.execute(db);
  return counted.rows.length === 1;
}

export function findScores(db: Executor): Promise<Score[]> {
  return db.selectFrom('help_scores').selectAll().execute();
}

/** A visit is long over by then; its votes stay in the sums. */
export async function forgetVoters(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('help_votes').where('at', '<', before).execute();
}
