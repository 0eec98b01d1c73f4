/** Random histories, part 3 of four. */
import { testHistories } from "./test-histories.ts";

testHistories(2);
