/* Luck has an address: the formula that sim/core/luck.py publishes, for one run at a time.

       run_key  = mix(mix(seed + GOLDEN) + GOLDEN * (run + 1))
       number   = mix(run_key ^ mix(purpose ^ (round << 40 | actor << 20 | index)))

   A purpose is the 64-bit number that stands for its name. All sums and products are modulo 2**64. */

#ifndef FAIRFIGHT_LUCK_H
#define FAIRFIGHT_LUCK_H

#include <stdint.h>

#define GOLDEN 0x9E3779B97F4A7C15u

enum { ENEMIES = 1000, TABLE = 9999 }; /* actor numbers: heroes from 0, enemies from ENEMIES, what is nobody's */

enum { WIN = 0, LOSS = 1, DRAW = 2 }; /* how a run ends */

static inline uint64_t mix(uint64_t word)
{
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static inline uint64_t run_key(uint64_t seed, int64_t run)
{
    return mix(mix(seed + GOLDEN) + GOLDEN * ((uint64_t)run + 1));
}

/* The part of an address that is no run's own. */
static inline uint64_t word_at(uint64_t purpose, int round, int actor, int index)
{
    return mix(purpose ^ ((uint64_t)round << 40 | (uint64_t)actor << 20 | (uint64_t)index));
}

/* A whole number from 0 to n - 1. */
static inline int below(int n, uint64_t key, uint64_t purpose, int round, int actor, int index)
{
    return (int)((mix(key ^ word_at(purpose, round, actor, index)) >> 32) * (uint64_t)n >> 32);
}

/* A die: 1 to its sides. */
static inline int die(int sides, uint64_t key, uint64_t purpose, int round, int actor, int index)
{
    return 1 + below(sides, key, purpose, round, actor, index);
}

#endif
