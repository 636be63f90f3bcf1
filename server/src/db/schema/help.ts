export interface HelpTables {
  help_searches: { day: string; language: string; text: string; visitor: string; at: Date };
  help_votes: { question_id: string; voter: string; liked: boolean; at: Date };
  help_scores: { question_id: string; likes: number; votes: number };
  help_vote_days: { day: string; language: string; question_id: string; likes: number; votes: number };
}
