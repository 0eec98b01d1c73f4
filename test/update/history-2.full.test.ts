/** Random histories, part 2 of four. */
import { testHistories } from "./test-histories.ts";

testHistories(1);
