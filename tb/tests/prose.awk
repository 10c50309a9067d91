# SPDX-License-Identifier: Apache-2.0
# Words of prose in pages: beside tables, indented lines and code between fences. Says nothing up to `most`.
FNR == 1 { code = 0 }
/^```/ { code = !code; next }
!code && !/^(    |[|])/ { words += NF }
END { if (words > most) print words " words of prose in pages; at most " most }
