package io.millrace.benchmarks.journal;

/**
 * A log in its child process, which takes records of 64 bytes. One thread.
 */
public interface AppendPath
{
    /** Longs of a record. */
    int WORDS = 8;

    /**
     * Append records with the next numbers, in batches. After each batch wait until it is as safe as the log was opened
     * for: handed to the operating system, or forced.
     *
     * @param batches how many.
     * @param batch   records of each.
     * @return what it took.
     * @throws Exception when the log fails.
     */
    AppendRound run(int batches, int batch) throws Exception;

    /**
     * Read all records from the files, check the numbers, and close the log.
     *
     * @return hash of all words, see {@link #add}.
     * @throws Exception when the log fails or a record is wrong.
     */
    long contents() throws Exception;

    /**
     * A word of a record.
     *
     * @param number of the record, from 1.
     * @param word   0 is the number itself.
     * @return the word.
     */
    static long word(final long number, final int word)
    {
        return word == 0 ? number : (number + word) * 0x9E37_79B9_7F4A_7C15L;
    }

    /**
     * Adds a word to a hash.
     *
     * @param hash so far, 0 at first.
     * @param word the next.
     * @return the hash.
     */
    static long add(final long hash, final long word)
    {
        return hash * 31 + word;
    }

    /**
     * Hash of the first records.
     *
     * @param count how many.
     * @return as {@link #contents} has it.
     */
    static long expected(final long count)
    {
        long hash = count;
        for (long number = 1; number <= count; number++)
        {
            for (int word = 0; word < WORDS; word++)
            {
                hash = add(hash, word(number, word));
            }
        }
        return hash;
    }
}
