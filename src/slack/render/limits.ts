/** Slack's limits that messages and views are built within; from docs.slack.dev/reference/block-kit. */
export const limits = {
  sectionChars: 3_000,
  buttonChars: 75,
  buttonValueChars: 2_000,
  buttonsPerBlock: 25,
  optionChars: 75,
  options: 100,
  labelChars: 2_000,
  hintChars: 2_000,
  placeholderChars: 150,
  viewTitleChars: 24,
  privateMetadataChars: 3_000,
  tableColumns: 20,
  tableChars: 10_000,
} as const;
