/** Must match the slash command in the manifest. */
export const slashCommandName = '/vps';
