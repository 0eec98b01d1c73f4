/** Why a goal is missed where it is, what the profile shows, and what was tried: by the goal's key, in Markdown. */

/** Only what a missed goal needs is printed. @type {Readonly<Record<string, string>>} */
export const EXPLANATIONS = {};
