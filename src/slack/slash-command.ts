/** The slash command, as the manifest declares it. */
export const slashCommand = '/vps';
