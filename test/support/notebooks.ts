/** Jupyter notebooks as text, as different programs write them. */

/** As Jupyter writes them: version 4.5, members sorted, one space of indentation. */
export const JUPYTER = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Cats\\n",
    "Text with \\"quotes\\" and 猫."
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 2,
   "id": "load",
   "metadata": {
    "tags": [
     "keep"
    ]
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "1\\n"
     ]
    }
   ],
   "source": [
    "x = 1\\n",
    "print(x)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "empty",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;

/** Without ids, on one line, as Python's \`json.dumps\` writes it: in ASCII. */
export const COMPACT =
  '{"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [{"cell_type": "code", "source": "print(\'\\u732b\')", "metadata": {}, "outputs": [], "execution_count": null}, {"cell_type": "raw", "metadata": {}, "source": ["a\\n", "b"]}]}';
