/** Random histories, part 1 of four. */
import { testHistories } from "./test-histories.ts";

testHistories(0);
