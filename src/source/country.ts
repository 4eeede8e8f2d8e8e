import { nearest } from '../problem/nearest.ts';

/** Whether a text is the code of a country: ISO 3166-1 alpha-2, in capitals. */
export function isCountry(code: string): boolean {
  if (!/^[A-Z]{2}$/.test(code) || notOfIso.test(code) || nameOf(code) === undefined) return false;
  // Intl also knows withdrawn codes, which it replaces with those of today.
  return new Intl.Locale(`und-${code}`).region === code;
}

/** Codes that Intl has and the standard does not: reserved ones, groups of countries, and private ones. */
const notOfIso = /^(A[CN]|C[PQ]|DG|E[AUZ]|IC|QO|TA|UN|X[ABK]|ZZ)$/;

/** Created when the first country is read, because it takes longer than a small file takes to read. */
let names: Intl.DisplayNames | undefined;

function nameOf(code: string): string | undefined {
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return names.of(code);
}

/** Returns the code that a source most likely means by another code or by the English name of a country, or null. */
export function nearestCountry(written: string): string | null {
  const code = twoLetters(written.trim().toUpperCase());
  if (isCountry(code)) return code;
  const current = /^[A-Z]{2}$/.test(code) ? new Intl.Locale(`und-${code}`).region : undefined;
  if (current !== undefined) return isCountry(current) ? current : null;
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index));
  const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
  const name = nearest(
    written,
    codes.map((one) => nameOf(one) ?? ''),
  );
  return name === null ? null : (codes.find((one) => nameOf(one) === name) ?? null);
}

/** Returns the code of two letters for one of three, such as DE for DEU. Returns any other text unchanged. */
function twoLetters(code: string): string {
  const found = /^[A-Z]{3}$/.test(code) ? threeLetters.split(/\s+/).find((one) => one.startsWith(code)) : undefined;
  return found === undefined ? code : found.slice(3) || code.slice(0, 2);
}

/** The codes of three letters, each followed by that of two letters unless it begins with it. */
const threeLetters = `
  ABWAW AFG AGOAO AIA ALAAX ALB ANDAD AREAE ARG ARMAM ASM ATAAQ ATFTF ATGAG AUS AUTAT AZE BDIBI BEL BENBJ BESBQ
  BFA BGDBD BGR BHR BHSBS BIHBA BLM BLRBY BLZBZ BMU BOL BRA BRBBB BRNBN BTN BVT BWA CAFCF CAN CCK CHE CHLCL
  CHNCN CIV CMR CODCD COGCG COKCK COL COMKM CPVCV CRI CUB CUWCW CXR CYMKY CYP CZE DEU DJI DMA DNKDK DOM DZA ECU
  EGY ERI ESHEH ESP ESTEE ETH FIN FJI FLKFK FRA FROFO FSMFM GAB GBR GEO GGY GHA GIB GINGN GLPGP GMB GNBGW GNQGQ
  GRC GRDGD GRLGL GTM GUFGF GUM GUYGY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRLIE IRN IRQIQ ISL ISRIL ITA
  JAMJM JEY JOR JPN KAZKZ KEN KGZ KHM KIR KNA KORKR KWT LAO LBN LBRLR LBYLY LCA LIE LKA LSO LTU LUX LVA MACMO
  MAFMF MAR MCO MDA MDGMG MDVMV MEXMX MHL MKD MLI MLTMT MMR MNEME MNG MNPMP MOZMZ MRT MSR MTQMQ MUS MWI MYS
  MYTYT NAM NCL NER NFK NGA NIC NIUNU NLD NOR NPL NRU NZL OMN PAKPK PAN PCNPN PER PHL PLWPW PNGPG POLPL PRI
  PRKKP PRTPT PRYPY PSE PYFPF QAT REU ROU RUS RWA SAU SDN SENSN SGP SGSGS SHN SJM SLBSB SLE SLVSV SMR SOM SPMPM
  SRBRS SSD STP SURSR SVKSK SVNSI SWESE SWZSZ SXM SYCSC SYR TCA TCDTD TGO THA TJK TKL TKMTM TLS TON TTO TUNTN
  TURTR TUVTV TWN TZA UGA UKRUA UMI URYUY USA UZB VAT VCT VEN VGB VIR VNM VUT WLFWF WSM YEM ZAF ZMB ZWE
`;
