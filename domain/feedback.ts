/** What customer care has not read yet, and what it has. */
export const feedbackLists = ['open', 'done'] as const;
