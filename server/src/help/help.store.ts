import { type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

type Executor = Kysely<Schema>;
export type Score = Selectable<Schema['help_scores']>;

/**
 * Inserts the vote and updates the sum in one statement, so that concurrent votes of one visitor count once. False if
 * it was counted before.
 */
export async function insertVote(
  db: Executor,
  vote: { questionId: string; voter: string; liked: boolean; language: string; day: string; at: Date },
): Promise<boolean> {
  const counted = await sql`
    with fresh as (
      insert into help_votes (question_id, voter, liked, at)
      values (${vote.questionId}, ${vote.voter}, ${vote.liked}, ${vote.at})
      on conflict do nothing
      returning question_id, liked
    ), daily as (
      insert into help_vote_days (day, language, question_id, likes, votes)
      select ${vote.day}::date, ${vote.language}, question_id, case when liked then 1 else 0 end, 1 from fresh
      on conflict (day, language, question_id) do update
      set likes = help_vote_days.likes + excluded.likes, votes = help_vote_days.votes + 1
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

/** Deletes voters whose visit expired long ago. The sums keep their votes. */
export async function forgetVoters(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('help_votes').where('at', '<', before).execute();
}

const mostShown = 200;
type Range = { from: string; to: string };

export async function votesByDay(db: Executor, { from, to }: Range) {
  const { rows } = await sql<{ day: string; language: string; question: string; likes: number; votes: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, language, question_id as question, likes, votes from help_vote_days
    where day between ${from}::date and ${to}::date order by 1, 2, 3`.execute(db);
  return rows;
}

interface Search {
  day: string;
  language: string;
  text: string;
  visitor: string;
}

export async function hasSearched(db: Executor, { day, language, text, visitor }: Search): Promise<boolean> {
  const { rows } = await sql`
    select from help_searches
    where day = ${day}::date and language = ${language} and text = ${text} and visitor = ${visitor}`.execute(db);
  return rows.length > 0;
}

/** Counts each visit once a day, and stores at most a fixed number of rows a day. */
export async function insertSearch(
  db: Executor,
  { day, language, text, visitor, at }: Search & { at: Date },
  mostRows: number,
): Promise<void> {
  await sql`
    insert into help_searches (day, language, text, visitor, at)
    select ${day}::date, ${language}, ${text}, ${visitor}, ${at}
    where (select count(*) from help_searches where day = ${day}::date) < ${mostRows}
    on conflict do nothing`.execute(db);
}

/** By day, for searches that at least `least` visits made in the whole range. */
export async function searchesOf(db: Executor, { from, to }: Range, least: number) {
  const { rows } = await sql<{ day: string; language: string; text: string; count: number }>`
    with searched as (select * from help_searches where day between ${from}::date and ${to}::date),
    common as (select language, text from searched group by 1, 2 having count(*) >= ${least}
      order by count(*) desc, text limit ${mostShown})
    select to_char(day, 'YYYY-MM-DD') as day, language, text, count(*)::int as count
    from searched join common using (language, text) group by 1, 2, 3 order by 1, 2, 3`.execute(db);
  return rows;
}

export async function forgetSearches(db: Executor, before: Date): Promise<void> {
  await db.deleteFrom('help_searches').where('at', '<', before).execute();
}

export async function forgetVoteDays(db: Executor, before: string): Promise<void> {
  await db.deleteFrom('help_vote_days').where('day', '<', before).execute();
}
