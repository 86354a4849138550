/** The reply to a click that opens the form of `me`, once it's too late to open a window. */
const ownSettingsText = "Change what Rackhand does for you alone: open the form to fill in what's missing.";

/** The same for the form of **Approve Less**. */
const narrowText = "Approve a request, or a part of it: open the form to fill in what's missing.";

/**
 * Replies for the owner of another workspace: they are about that workspace, and contain nothing of
 * Alice's.
 */
const otherWorkspaceTexts = [
  'Grant a right',
  "Grant a right to people, user groups, or every member: open the form to fill in what's missing.",
  "Take a snapshot of a VPS: open the form to fill in what's missing.",
  ownSettingsText,
  /^There's no approval rule "[0-9a-f]+": .+\. Nothing was changed\.$/,
  'The limit was removed',
  'Nothing to revoke',
  "This request isn't yours, or it doesn't exist. Nothing was changed.",
  "This workspace isn't connected to the hosting service yet. Nothing was changed.",
  'Access in this workspace',
  'This was already decided, or has expired',
  narrowText,
];

/** Replies to a click in a view that doesn't exist for the person. */
const missingViewTexts = [
  "Slack's time limit for opening a window has passed. Nothing was changed. Press the button again.",
  'Something went wrong in Rackhand. If something was started, it continues, and its own message shows the result.',
];

/** The texts that each person must get (`required`), and the others that they can get (`allowed`). */
export const expectedTexts: Readonly<
  Record<string, { readonly required: readonly string[]; readonly allowed: readonly (string | RegExp)[] }>
> = {
  'a member without rights': {
    required: [
      "This request isn't yours, or it doesn't exist. Nothing was changed.",
      "You don't have permission to administer Rackhand. Nothing was changed.",
      "You don't have permission to operate VPS-10002. Nothing was changed.",
      "You don't have permission to operate VPS-10004. Nothing was changed.",
      "You don't have permission to make destructive changes to VPS-10001. Nothing was changed.",
      "You don't have permission to view VPS-10001. Nothing was changed.",
    ],
    // Help, the quota, their own access and their own settings are open to every member.
    allowed: [
      'Grant a right',
      /^\d+ of 50 calls left this minute$/,
      "You don't have permission to view any VPS. Nothing was changed.",
      "You don't have access yet",
      ownSettingsText,
      narrowText,
      ...missingViewTexts,
    ],
  },
  'a guest': {
    required: ["Guests can't use Rackhand. Nothing was changed."],
    allowed: [],
  },
  'the owner of another workspace': { required: [], allowed: [...otherWorkspaceTexts, ...missingViewTexts] },
};
