/** Maximum length of a reason, which is shown in one line. */
export const maxReasonChars = 200;
