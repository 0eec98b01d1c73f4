/** `--follow` on a real terminal: redrawn in place, stopped and resumed by a shell, and restored at the end. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { isDue, runs } from "../support/extent.ts";
import { createHome } from "../support/run-ents.ts";
import { hasTmux, onTerminal } from "../support/tmux.ts";
import { at, grow, startFastLive, STEP } from "./live-service.ts";

const FOLLOW = "ents network NEM -m power -i 5m --last 1h -g region --follow";

/** An interval takes half a second, for an hour. */
const startService = () => {
  const to = at(30 * 24 * 60);
  return startFastLive({ readings: [...grow("NSW1", { to }), ...grow("VIC1", { to })] }, { speed: 600 });
};

/** Shells with job control, and formats. */
const CASES = runs(
  [["sh", "table"]],
  ["sh", "bash --norc"].flatMap((shell) => ["table", "chart"].map((format) => [shell, format])),
) as readonly (readonly [shell: string, format: string])[];

const OPEN = "other screen, no cursor";
const GIVEN_BACK = "ordinary screen, cursor";

/** Codes that clear more than the rest of a line and the lines below a frame. */
const CLEARING = /\u001b\[(?:[123]J|[12]K|J(?!\u001b\[\?7h\u001b\[\?2026l))/;

test.runIf(isDue(hasTmux)).concurrent.for(CASES)(
  "in %s, a %s is redrawn in place, and the terminal restored",
  async ([shell, format]) => {
    const home = createHome();
    const live = await startService();
    const env = { ...live.env, PS1: "$ " };
    await onTerminal(`${shell} -i`, { home, env, columns: 80, rows: 24 }, async ({ until, tmux, type, read }) => {
      const press = (key: string) => void tmux("send-keys", key);
      const state = () =>
        tmux(
          "display-message",
          "-p",
          "#{?alternate_on,other,ordinary} screen, #{?cursor_flag,cursor,no cursor}",
        ).trim();
      const untilNew = async () => {
        const before = read();
        return until((screen) => screen !== before && /NSW|South Wales/.test(screen));
      };

      await until(/^\$/m);
      tmux("pipe-pane", `cat > ${home.path("bytes")}`);
      type(`${FOLLOW} -f ${format}\n`);
      await until(/NSW|South Wales/);
      expect(state()).toBe(OPEN);
      await untilNew();
      expect(await untilNew()).not.toMatch(/ents network/);

      // Ctrl-Z, then `bg`: in the background it must not draw.
      press("C-z");
      await until(/Stopped/);
      expect(state()).toBe(GIVEN_BACK);
      type("bg\n");
      const stoppedAgain = /^\[1\][^$]*Stopped[^$]*\$\n+$/;
      // Waits longer each time, for slow shells.
      for (let wait = 700; wait < 20_000 && !stoppedAgain.test(read()); wait *= 1.5) {
        type("clear; jobs\n");
        await sleep(wait);
      }
      expect(read()).toMatch(stoppedAgain);
      expect(read()).not.toMatch(/NSW|South Wales/);

      // In the foreground again, on a terminal that has been resized.
      const [asked, resumed] = [live.asked.length, live.nowLocal()];
      tmux("resize-window", "-x", "60", "-y", "12");
      type("fg\n");
      await until(/NSW|South Wales/);
      expect(state()).toBe(OPEN);
      await untilNew();
      expect(await untilNew()).toMatch(/^(?:.{0,60}\n){9,12}$/);
      expect(live.asked.length - asked).toBeLessThanOrEqual(2 + (live.nowLocal() - resumed) / STEP);

      tmux("resize-window", "-x", "50", "-y", "14");
      expect(await until(/^(?=[^]*(?:NSW|South Wales))(?:.{0,50}\n){12,14}$/)).not.toMatch(/ents network/);
      press("C-c");
      await until(/\n\$\n+$/);
      expect(state()).toBe(GIVEN_BACK);
      type("echo code $?\n");
      await until(/^code 130$/m);
      expect(tmux("capture-pane", "-p", "-S", "-50")).toMatch(/fg\nents network[^]*(?:NSW|South Wales)[^]*Vic/);
      const [, ...drawn] = readFileSync(home.path("bytes"), "utf8").split("\u001b[?1049h");
      expect(drawn).toHaveLength(2);
      for (const part of drawn) expect(part.split("\u001b[?1049l")[0]).not.toMatch(CLEARING);
    });
  },
);
