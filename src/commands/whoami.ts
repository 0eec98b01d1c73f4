import { escapeControls } from "../base/terminal.ts";
import { defineCommand } from "../cli/command.ts";
import { FETCH_OPTIONS } from "../options/fetch-options.ts";

const { baseUrl, timeout, retries } = FETCH_OPTIONS;

export const whoami = defineCommand({
  options: { Whoami: { baseUrl, timeout, retries } },
  examples: [
    { command: "ents whoami", does: "service, token (its last four characters), plan, its limits and credits left" },
  ],
  run: async ({ options, context, report }) => {
    const [{ findBaseUrl, loadSettings }, { requireToken }, { describePlanLimits, describeWindows }, { updatePlan }] =
      await Promise.all([
        import("../settings/settings.ts"),
        import("../settings/credentials.ts"),
        import("../settings/key-limits.ts"),
        import("../settings/store-token.ts"),
      ]);
    const { fetchPlanLimits, readAccount } = await import("../source/account.ts");
    const settings = await loadSettings(context, report);
    const address = findBaseUrl(options.baseUrl, settings);
    const token = await requireToken(address, { settings, context });
    const show = (name: string, value: string | undefined) =>
      value === undefined ? undefined : context.stdout.stream.write(`${name.padEnd(8)} ${escapeControls(value)}\n`);
    show("service", address.origin);
    show("token", `${maskToken(token.value)}  (${token.source})`);
    const account = await readAccount({ baseUrl: address, token }, { context, report, fetch: options });
    show("plan", account?.plan?.toLowerCase());
    show("credits", account?.creditsLeft === undefined ? undefined : `${account.creditsLeft} left today`);
    if (account?.creditsLeft === undefined)
      show("requests", account?.left === undefined ? undefined : `${account.left} left`);
    if (!account) report.note(`plan and credits unknown: ${address.origin} does not answer /v4/me`);
    if (account?.plan === undefined) return;
    const limits = await fetchPlanLimits(account.plan, address, { context, report });
    show("limits", limits && describePlanLimits(limits));
    show("windows", limits && describeWindows(limits));
    await updatePlan(address, limits?.plan, { settings, context, report });
  },
});

/** Shows the last four characters, or none of a short token. */
function maskToken(token: string): string {
  return token.length >= 12 ? `…${token.slice(-4)}` : "…";
}
