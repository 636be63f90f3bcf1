/** Feedback that customer care has still to handle, and the rest. */
export const feedbackLists = ['open', 'done'] as const;
