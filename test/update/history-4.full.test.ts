/** Random histories, part 4 of four. */
import { testHistories } from "./test-histories.ts";

testHistories(3);
